import type { NodeId, Plan, PlanColumn } from '../../combine/plan.ts'
import { prepareRun } from '../../combine/prepare-run.ts'
import { engineType } from '../../combine/types.ts'
import { abortable } from '../../store/abortable.ts'
import type { ResultColumn } from '../../warehouse/warehouse.ts'

/** The columns of scans, by their nodes. */
type ScanColumns = ReadonlyMap<NodeId, readonly ResultColumn[]>

/** Keeps the sub-queries of a plan from running before the columns of all are known, and fit the plan. */
export class PlanGate {
  readonly #plan: Plan
  readonly #promised: ScanColumns
  readonly #known = new Map<NodeId, readonly ResultColumn[]>()
  /** The sub-queries whose columns are not known yet, by their keys. */
  readonly #awaited: Set<string>
  #open = () => {}
  readonly #opened = new Promise<void>(resolve => {
    this.#open = resolve
  })

  constructor(plan: Plan, keys: readonly string[]) {
    this.#plan = plan
    this.#promised = new Map(plan.nodes.flatMap(node => (node.stage === 'scan' ? [[node.id, node.columns.map(promised)]] : [])))
    // Without a combine, the sub-queries need nothing of each other.
    this.#awaited = new Set(plan.terminals.length > 0 ? keys : [])
    if (this.#awaited.size === 0) this.#open()
  }

  /**
   * Waits until the sub-query may run.
   * @param columns those of its query, which was written and checked
   * @returns why the plan cannot use the columns: one sentence for the model. Undefined if the query may run.
   */
  async admit(key: string, columns: readonly ResultColumn[], signal: AbortSignal): Promise<string | undefined> {
    const node = this.#plan.idOfKey.get(key)
    if (node === undefined) throw new Error(`The plan has no sub-query ${key}`)
    const own = new Map([[node, columns]])
    // The first check blames nobody for the columns of others. The second one sees what only all of them together show.
    const checked = [new Map([...this.#promised, ...own]), new Map([...this.#known, ...own])]
    const refusals = checked.flatMap(known => [...prepareRun(this.#plan, withoutRows(known)).refusals.values()])
    const refused = refusals.find(({ reason }) => reason !== 'missing_input')
    if (refused !== undefined) return refused.message
    this.#known.set(node, columns)
    this.leave(key)
    await abortable(this.#opened, signal)
    return undefined
  }

  /** Tells that the others need not wait for a sub-query. */
  leave(key: string): void {
    this.#awaited.delete(key)
    if (this.#awaited.size === 0) this.#open()
  }
}

function withoutRows(columns: ScanColumns) {
  return new Map([...columns].map(([node, own]) => [node, { columns: own, rows: [], truncated: false }]))
}

/** A decimal of the contract says nothing of its digits. */
function promised({ name, type }: PlanColumn): ResultColumn {
  return { name, type: type === 'decimal' ? 'Decimal(1, 0)' : engineType(type, 0) }
}
