import type { NodeId, Plan, PlanColumn } from '../../combine/plan.ts'
import { prepareRun } from '../../combine/prepare-run.ts'
import { engineType } from '../../combine/types.ts'
import { abortable } from '../../store/abortable.ts'
import type { ResultColumn } from '../../warehouse/warehouse.ts'

export type PlanGate = ReturnType<typeof planGate>

/**
 * Keeps the sub-queries of a plan from running before the columns of all are known, and fit the plan.
 * @param keys those of the sub-queries that are asked
 */
export function planGate(plan: Plan, keys: readonly string[]) {
  const promises = new Map(plan.nodes.flatMap(node => (node.stage === 'scan' ? [[node.id, node.columns.map(promised)]] : [])))
  const known = new Map<NodeId, readonly ResultColumn[]>()
  // Without a combine, the sub-queries need nothing of each other.
  const awaited = new Set(plan.terminals.length > 0 ? keys : [])
  let open = () => {}
  const opened = new Promise<void>(resolve => {
    open = resolve
  })
  const leave = (key: string) => {
    awaited.delete(key)
    if (awaited.size === 0) open()
  }
  return {
    /**
     * Waits until the sub-query may run.
     * @param columns those of its query, which was written and checked
     * @returns why the plan cannot use the columns: one sentence for the model. Undefined if the query may run.
     */
    async admit(key: string, columns: readonly ResultColumn[], signal: AbortSignal): Promise<string | undefined> {
      const node = plan.idOfKey.get(key)
      if (node === undefined) throw new Error(`The plan has no sub-query ${key}`)
      // The first check blames nobody for the columns of others. The second one sees what only all of them together show.
      const refusals = [promises, known].flatMap(others => {
        const all = [...others, [node, columns] as const]
        const results = all.map(([id, own]) => [id, { columns: own, rows: [], truncated: false }] as const)
        return [...prepareRun(plan, new Map(results)).refusals.values()]
      })
      const refused = refusals.find(({ reason }) => reason !== 'missing_input')
      if (refused !== undefined) return refused.message
      known.set(node, columns)
      leave(key)
      await abortable(opened, signal)
      return undefined
    },
    /** Tells that the others need not wait for a sub-query. */
    leave,
  }
}

/** A decimal of the contract says nothing of its digits. */
function promised({ name, type }: PlanColumn): ResultColumn {
  return { name, type: type === 'decimal' ? 'Decimal(1, 0)' : engineType(type, 0) }
}
