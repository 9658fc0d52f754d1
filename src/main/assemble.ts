import type { Analyst } from '../agent/analyst.ts'
import type { Replayer } from '../agent/lineage/replayer.ts'
import { recordedAnalyst } from '../audit/recorded-analyst.ts'
import type { LanguageModel } from '../llm/language-model.ts'
import { SOURCE_KINDS } from '../sources/kinds.ts'
import type { StateStore } from '../store/state-store.ts'
import { throughBreaker, warehouseBreaker } from '../warehouse/breaker.ts'
import type { SchemaSource } from '../warehouse/schema-source.ts'
import type { Warehouse } from '../warehouse/warehouse.ts'
import { defaultSource, observedSqlGuard } from './observed-source.ts'
import { type OpenedParts, wireAnalyst, wireGuard, wireSchemaSource } from './parts.ts'
import { wireJobs, wireThreadAnalyst } from './pipelines.ts'
import { type StandingParts, wireSources } from './sources.ts'
import type { WiringContext } from './store.ts'

export interface AssembledFrom {
  readonly warehouse: Warehouse
  readonly store: StateStore
  readonly model: LanguageModel
  /** Provides the schema of the warehouse. Default: the catalog of the server. */
  readonly schemaSource?: SchemaSource | undefined
  /** Runs replays (repeated jobs) in the workers. If absent, this process runs them. */
  readonly replayer?: Replayer
  /** Shows a warning about the SQL guard. See `wireGuard`. */
  readonly tell?: ((sentence: string) => void) | undefined
}

/**
 * Opens the parts that read data, which need no model.
 * @throws ConfigurationError, WarehouseError
 */
export async function openParts(
  context: WiringContext,
  { warehouse, store, tell, ...given }: Pick<AssembledFrom, 'warehouse' | 'store' | 'schemaSource' | 'tell'>,
  signal: AbortSignal,
): Promise<OpenedParts> {
  const guard = observedSqlGuard(context, defaultSource(context.config), await wireGuard(context, warehouse, signal, tell))
  const schemaSource = given.schemaSource ?? wireSchemaSource(context, { warehouse, store })
  const standing = spared(context, { warehouse, guard, schemaSource })
  return { ...standing, store, sources: wireSources(context, store, standing) }
}

/** Returns the parts of the warehouse, whose reads go through its breaker if it is the default source. */
function spared(context: WiringContext, parts: StandingParts): StandingParts {
  const { sources } = context.config
  if (sources?.some(({ isDefault, kind }) => isDefault && !SOURCE_KINDS[kind].hasPipelines)) return parts
  const title = sources === undefined ? 'The warehouse (CLICKHOUSE_URL)' : undefined
  const breaker = warehouseBreaker(defaultSource(context.config), title)
  context.breakers?.add(breaker)
  const { warehouse } = parts
  const through = throughBreaker(breaker, parts)
  return {
    ...through,
    warehouse: {
      ...through.warehouse,
      // Only pipelines use Clew's own tables much, and their jobs repeat what failed by themselves.
      readOwn: (query, signal) => warehouse.readOwn(query, signal),
      write: (statement, signal) => warehouse.write(statement, signal),
      close: () => warehouse.close(),
    },
  }
}

/**
 * Builds the analyst that answers all questions in threads, about data and pipelines.
 * @returns also the part of the analyst that answers about data, and never about pipelines
 * @throws ConfigurationError, WarehouseError
 */
export async function assemble(context: WiringContext, from: AssembledFrom, signal: AbortSignal) {
  const { model, replayer } = from
  const opened = await openParts(context, from, signal)
  const { trials } = await wireJobs(context, from.warehouse, signal)
  const dataAnalyst = await wireAnalyst(context, { ...opened, model, trials })
  const parts = { ...opened, model, analyst: dataAnalyst, ...(replayer && { replayer }) }
  const { recorded } = context
  const answering = (analyst: Pick<Analyst, 'ask'>) => (recorded === undefined ? analyst : recordedAnalyst(analyst, recorded))
  return {
    analyst: answering(await wireThreadAnalyst(context, parts, signal)),
    dataAnalyst: answering(dataAnalyst),
    opened,
  }
}
