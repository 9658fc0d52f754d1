import type { Columns } from './columns.ts'
import { columnsOfNode } from './compile.ts'
import { ancestorsOf } from './dag.ts'
import type { CombineInput, ScanResult } from './load-input.ts'
import type { NodeId, Plan, PlanNode, ScanNode } from './plan.ts'
import { orRefusal, PlanRefusal, refuse } from './refusal.ts'
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
export interface PreparedRun {
  readonly plan: Plan
  /** The results that the engine needs. */
  readonly inputs: readonly CombineInput[]
  readonly scale: number
  readonly columnsOf: (id: NodeId) => Columns
  readonly refusals: ReadonlyMap<NodeId, NodeRefusal>
  /** Nodes whose rows are not all there, because an input was cut. */
  readonly cut: ReadonlySet<NodeId>
}

/** Reads the results of a plan's scans. The plan's types give way to those that the results really have. */
export function prepareRun(plan: Plan, results: ReadonlyMap<NodeId, ScanResult>): PreparedRun {
  const reading = new RunReading(results)
  for (const node of plan.nodes) {
    if (node.stage === 'scan') reading.addScan(node)
    else reading.addCombined(node)
  }
  const { refusals, cut } = reading
  const runnable = plan.terminals.filter(id => !refusals.has(id)).flatMap(id => ancestorsOf(plan, id))
  const inputs = [...new Set(runnable)].flatMap(({ id }) => reading.inputs.get(id) ?? [])
  const scale = orRefusal(() => commonScale(inputs.flatMap(({ columns }) => columns)))
  const columnsOf = (id: NodeId) => reading.columns.get(id) ?? []
  if (!(scale instanceof PlanRefusal)) return { plan, inputs, scale, columnsOf, refusals, cut }
  for (const { id } of runnable) refusals.set(id, { reason: 'types', message: scale.message })
  return { plan, inputs: [], scale: 0, columnsOf, refusals, cut }
}

class RunReading {
  readonly inputs = new Map<NodeId, CombineInput>()
  readonly columns = new Map<NodeId, Columns>()
  readonly refusals = new Map<NodeId, NodeRefusal>()
  readonly cut = new Set<NodeId>()
  readonly #results: ReadonlyMap<NodeId, ScanResult>

  constructor(results: ReadonlyMap<NodeId, ScanResult>) {
    this.#results = results
  }

  addCombined(node: Exclude<PlanNode, ScanNode>): void {
    const refused = node.inputs.flatMap(id => this.refusals.get(id) ?? [])[0]
    if (refused !== undefined) {
      this.refusals.set(node.id, refused)
      return
    }
    this.#keep(node, 'types', () =>
      this.columns.set(
        node.id,
        columnsOfNode(node, id => this.columns.get(id) ?? []),
      ),
    )
    if (!node.inputs.some(id => this.cut.has(id))) return
    this.#keep(node, 'too_large_to_combine', () => refuseIfCutMatters(node))
    this.cut.add(node.id)
  }

  addScan(node: ScanNode): void {
    const { id, definition } = node
    const result = this.#results.get(id)
    if (result === undefined) {
      this.refusals.set(id, { reason: 'missing_input', message: `"${definition.key}" has no result.` })
      return
    }
    this.#keep(node, 'contract', () => {
      const columns = readContract(definition.columns, result.columns)
      this.inputs.set(id, { id, result, columns })
      this.columns.set(id, columns)
    })
    if (result.truncated) this.cut.add(id)
  }

  #keep({ id }: PlanNode, reason: RefusalReason, work: () => void): void {
    const kept = orRefusal(work)
    if (kept instanceof PlanRefusal) this.refusals.set(id, { reason, message: kept.message })
  }
}

/**
 * A part of the rows gives wrong figures, partners and first rows. Only what looks at one row at a time may go on with it; its
 * result then is a part too.
 * @throws PlanRefusal
 */
function refuseIfCutMatters({ definition }: Exclude<PlanNode, ScanNode>): void {
  const matters =
    'steps' in definition
      ? definition.steps.some(({ kind }) => kind === 'aggregate' || kind === 'sort' || kind === 'limit')
      : definition.kind === 'join' || definition.kind === 'compare'
  if (matters) {
    refuse(
      `"${definition.key}" needs all rows of its inputs, but one of them was cut; ask for fewer rows, such as one for each key.`,
    )
  }
}
