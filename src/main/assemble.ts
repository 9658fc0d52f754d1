import type { Replayer } from '../agent/lineage/replayer.ts'
import type { ThreadAnalyst } from '../agent/thread-analyst.ts'
import type { LanguageModel } from '../llm/language-model.ts'
import type { BreakerState } from '../sources/source.ts'
import type { StateStore } from '../store/state-store.ts'
import type { SchemaSource } from '../warehouse/schema-source.ts'
import type { Warehouse } from '../warehouse/warehouse.ts'
import { wireAnalyst, wireGuard, wireSchemaSource } from './parts.ts'
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
  readonly analyst: ThreadAnalyst
  /** For each of several data sources, by its id: whether it is asked now. */
  readonly sourceStates: Readonly<Record<string, () => BreakerState>>
}

/**
 * Builds the analyst that answers all questions in threads, about data and pipelines.
 * @throws ConfigurationError, WarehouseError
 */
export async function assemble(
  context: WiringContext,
  { warehouse, store, model, replayer, tell, ...given }: AssembledFrom,
  signal: AbortSignal,
): Promise<Assembled> {
  const guard = await wireGuard(context, warehouse, signal, tell)
  const parts = { warehouse, store, model, guard }
  const schemaSource = given.schemaSource ?? wireSchemaSource(context, parts)
  const sources = wireSources(context, store, { ...parts, schemaSource })
  const trials = await wireTrials(context, warehouse, signal)
  const analyst = await wireAnalyst(context, { ...parts, schemaSource, sources, trials })
  const states = (sources.dataSources ?? []).map(({ config, breaker }) => [`source ${config.id}`, () => breaker.state] as const)
  return {
    analyst: await wireThreadAnalyst(context, { ...parts, analyst, ...(replayer && { replayer }) }, signal),
    sourceStates: Object.fromEntries(states),
  }
}
