import { columnsOfNode } from './compile.ts'
import type { CombineInput, ScanResult } from './load-input.ts'
import { ancestorsOf, type NodeId, type Plan, type PlanNode } from './plan.ts'
import { orRefusal, PlanRefusal, refuse } from './refusal.ts'
import type { Columns } from './relation.ts'
import { commonScale, readContract } from './types.ts'

/**
 * Why a result cannot be combined.
 * - `missing_input`: a scan that it needs has no result
 * - `contract`: a scan's result lacks a column of its contract, or has another type
 * - `types`: the types that the results really have do not allow an operation
 * - `too_large_to_combine`: an input was cut, or the engine reached its limits
 * - `repeated_rows`: several rows per key on both sides of a join, so that a sum would be wrong
 * - `failed`: the engine could not calculate it, for example because a number became too large
 */
export type RefusalReason = 'missing_input' | 'contract' | 'types' | 'too_large_to_combine' | 'repeated_rows' | 'failed'

export interface NodeRefusal {
  readonly reason: RefusalReason
  /** One sentence that names the part and, where there is one, the way out. */
  readonly message: string
}

/** A plan with the results of its scans: what can be calculated, and why the rest cannot. */
export type PreparedRun = ReturnType<typeof prepareRun>

/** Reads the results of a plan's scans. The plan's types give way to those that the results really have. */
export function prepareRun(plan: Plan, results: ReadonlyMap<NodeId, ScanResult>) {
  const read = new Map<NodeId, CombineInput>()
  const columns = new Map<NodeId, Columns>()
  const refusals = new Map<NodeId, NodeRefusal>()
  const cut = new Set<NodeId>()
  const columnsOf = (id: NodeId) => columns.get(id) ?? []
  const keep = ({ id }: PlanNode, reason: RefusalReason, work: () => void) => {
    const kept = orRefusal(work)
    if (kept instanceof PlanRefusal) refusals.set(id, { reason, message: kept.message })
  }
  const addScan = ({ id, columns: contract }: PlanNode, result: ScanResult) => {
    const own = readContract(contract, result.columns)
    read.set(id, { id, result, columns: own })
    columns.set(id, own)
    if (result.truncated) cut.add(id)
  }
  for (const node of plan.nodes) {
    const { id, inputs, definition } = node
    const refused = inputs.flatMap(input => refusals.get(input) ?? [])[0]
    const result = results.get(id)
    if (refused !== undefined) refusals.set(id, refused)
    else if (node.stage !== 'scan') {
      keep(node, 'types', () => columns.set(id, columnsOfNode(node, columnsOf)))
      if (!inputs.some(input => cut.has(input))) continue
      keep(node, 'too_large_to_combine', () => refuseIfCutMatters(node))
      cut.add(id)
    } else if (result !== undefined) keep(node, 'contract', () => addScan(node, result))
    else refusals.set(id, { reason: 'missing_input', message: `"${definition.key}" has no result.` })
  }
  const runnable = plan.terminals.filter(id => !refusals.has(id)).flatMap(id => ancestorsOf(plan, id))
  const inputs = [...new Set(runnable)].flatMap(({ id }) => read.get(id) ?? [])
  const scale = orRefusal(() => commonScale(inputs.flatMap(({ columns: own }) => own)))
  const isRefused = scale instanceof PlanRefusal
  if (isRefused) for (const { id } of runnable) refusals.set(id, { reason: 'types', message: scale.message })
  return {
    ...{ plan, columnsOf, refusals, scale: isRefused ? 0 : scale },
    /** The results that the engine needs. */
    inputs: isRefused ? [] : inputs,
    /** Nodes whose rows are not all there, because an input was cut. */
    cut,
  }
}

/**
 * A part of the rows gives wrong figures, partners and first rows. Only what looks at one row at a time may go on with it; its
 * result then is a part too.
 * @throws PlanRefusal
 */
function refuseIfCutMatters({ definition }: PlanNode): void {
  const steps = 'steps' in definition ? definition.steps : []
  const isOfMany = steps.some(({ kind }) => kind === 'aggregate' || kind === 'sort' || kind === 'limit')
  if (!isOfMany && !('on' in definition)) return
  refuse(
    `"${definition.key}" needs all rows of its inputs, but one of them was cut; ask for fewer rows, such as one for each key.`,
  )
}
