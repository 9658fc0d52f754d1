import type { Analyst } from '../agent/analyst.ts'
import type { Replayer } from '../agent/lineage/replayer.ts'
import { recordedAnalyst } from '../audit/recorded-analyst.ts'
import type { LanguageModel } from '../llm/language-model.ts'
import type { BreakerState } from '../sources/source.ts'
import type { StateStore } from '../store/state-store.ts'
import type { SchemaSource } from '../warehouse/schema-source.ts'
import type { Warehouse } from '../warehouse/warehouse.ts'
import { defaultSource, observedSqlGuard } from './observed-source.ts'
import { type OpenedParts, wireAnalyst, wireGuard, wireSchemaSource } from './parts.ts'
import { wireThreadAnalyst, wireTrials } from './pipelines.ts'
import { wireSources } from './sources.ts'
import type { WiringContext } from './store.ts'

export interface AssembledFrom {
  readonly warehouse: Warehouse
  readonly store: StateStore
  readonly model: LanguageModel
  /** Provides the schema of the warehouse. Default: the catalog of the server. */
  readonly schemaSource?: SchemaSource
  /** Runs replays (repeated jobs) in the workers. If absent, this process runs them. */
  readonly replayer?: Replayer
  /** Shows a warning about the SQL guard. See `wireGuard`. */
  readonly tell?: (sentence: string) => void
}

export interface Assembled {
  readonly analyst: Pick<Analyst, 'ask'>
  /** The part of the analyst that answers about data, and never about pipelines. */
  readonly dataAnalyst: Pick<Analyst, 'ask'>
  /** For each of several data sources, by its id: whether it is asked now. */
  readonly sourceStates: Readonly<Record<string, () => BreakerState>>
  readonly opened: OpenedParts
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
  const sources = wireSources(context, store, { warehouse, guard, schemaSource })
  return { warehouse, store, guard, schemaSource, sources }
}

/**
 * Builds the analyst that answers all questions in threads, about data and pipelines.
 * @throws ConfigurationError, WarehouseError
 */
export async function assemble(context: WiringContext, from: AssembledFrom, signal: AbortSignal): Promise<Assembled> {
  const { model, replayer } = from
  const opened = await openParts(context, from, signal)
  const trials = await wireTrials(context, from.warehouse, signal)
  const dataAnalyst = await wireAnalyst(context, { ...opened, model, trials })
  const states = (opened.sources?.dataSources ?? []).map(
    ({ config, breaker }) => [`source ${config.id}`, () => breaker.state] as const,
  )
  const parts = { ...opened, model, analyst: dataAnalyst, ...(replayer && { replayer }) }
  const { recorded } = context
  const answering = (analyst: Pick<Analyst, 'ask'>) => (recorded === undefined ? analyst : recordedAnalyst(analyst, recorded))
  return {
    analyst: answering(await wireThreadAnalyst(context, parts, signal)),
    dataAnalyst: answering(dataAnalyst),
    sourceStates: Object.fromEntries(states),
    opened,
  }
}
