import type { Replayer } from '../agent/lineage/replayer.ts'
import type { ThreadAnalyst } from '../agent/thread-analyst.ts'
import type { LanguageModel } from '../llm/language-model.ts'
import type { StateStore } from '../store/state-store.ts'
import type { Warehouse } from '../warehouse/warehouse.ts'
import { wireAnalyst, wireGuard, wireSchemaSource } from './parts.ts'
import { wireThreadAnalyst } from './pipelines.ts'
import type { WiringContext } from './store.ts'

export interface AssembledFrom {
  readonly warehouse: Warehouse
  readonly store: StateStore
  readonly model: LanguageModel
  /** Lets workers run replays. Default: this process runs them. */
  readonly replayer?: Replayer
  /** Shows a warning of the guard. See `wireGuard`. */
  readonly tell?: (sentence: string) => void
}

/** Wires the analyst for all questions in threads, about data and pipelines. @throws ConfigurationError, WarehouseError */
export async function assemble(
  context: WiringContext,
  { warehouse, store, model, replayer, tell }: AssembledFrom,
  signal: AbortSignal,
): Promise<ThreadAnalyst> {
  const guard = await wireGuard(context, warehouse, signal, tell)
  const parts = { warehouse, store, model, guard }
  const analyst = await wireAnalyst(context, { ...parts, schemaSource: wireSchemaSource(context, parts) })
  return wireThreadAnalyst(context, { ...parts, analyst, ...(replayer && { replayer }) }, signal)
}
