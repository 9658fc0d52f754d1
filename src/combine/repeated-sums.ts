import type { Columns } from './columns.ts'
import { columnsOnly, compileCombine, inputsOf } from './compile-combine.ts'
import type { MatchReport } from './match-report.ts'
import type { Measure, NodeId, PlanNode, Post, PostStep, Projected } from './plan.ts'
import { refuse } from './refusal.ts'

type Side = 'left' | 'right'

/**
 * The sides of joins that a column's values come from, each as `<join> <side>`. A key of a join comes from both, and so has no
 * side. An aggregate begins anew: its values belong to its groups.
 */
type Marks = ReadonlySet<string>

/** The known facts of a node's rows: where each column comes from, and the joins that made the rows. */
interface Trace {
  readonly marks: ReadonlyMap<string, Marks>
  readonly joins: ReadonlySet<NodeId>
}

const NOTHING: Marks = new Set()

export interface RepeatContext {
  readonly columnsOf: (id: NodeId) => Columns
  readonly reports: ReadonlyMap<NodeId, MatchReport>
}

/**
 * Refuses sums and counts in which a join made rows count several times.
 * - A sum over one side is refused if the other side has several rows of a key, unless it groups by a column of that other side.
 * - A sum or count is refused in any case if both sides have several rows of a key.
 * - A compare of such sides is refused too, because nothing says which rows belong together.
 * @param nodes a node with all that it needs, in the order of the plan
 * @throws PlanRefusal
 */
export function refuseRepeatedSums(nodes: readonly PlanNode[], context: RepeatContext): void {
  const traces = new Map<NodeId, Trace>()
  const traceOf = (id: NodeId) => traces.get(id) ?? { marks: new Map(), joins: new Set() }
  for (const node of nodes) traces.set(node.id, traceNode(node, traceOf, context))
}

function traceNode(node: PlanNode, traceOf: (id: NodeId) => Trace, context: RepeatContext): Trace {
  if (node.stage === 'scan') return { marks: new Map(), joins: new Set() }
  if (node.stage === 'post') return tracePost(node.definition, traceOf(node.definition.input), context)
  const { id, definition } = node
  const isMatch = definition.kind === 'join' || definition.kind === 'compare'
  const report = context.reports.get(id)
  if (definition.kind === 'compare' && report?.multiplies) {
    refuse(`"${definition.key}" cannot compare its inputs: ${rowsPerKey(report)}. Ask for one row of each key.`)
  }
  const inputs = inputsOf(definition).map(traceOf)
  const relationOf = (input: NodeId) => ({ sql: '', columns: context.columnsOf(input) })
  const { columns } = compileCombine(definition, relationOf, columnsOnly())
  const marks = columns.map(({ name, from }) => {
    const own = from.flatMap(each => [...(inputs[each.input]?.marks.get(each.name) ?? NOTHING)])
    const sides = isMatch ? from.map(({ input }) => mark(id, input === 0 ? 'left' : 'right')) : []
    return [name, new Set([...own, ...sides])] as const
  })
  return { marks: new Map(marks), joins: new Set([...inputs.flatMap(({ joins }) => [...joins]), ...(isMatch ? [id] : [])]) }
}

function tracePost(post: Post, input: Trace, context: RepeatContext): Trace {
  return post.steps.reduce((trace, step) => traceStep(post.key, step, trace, context), input)
}

function traceStep(key: string, step: PostStep, trace: Trace, { reports }: RepeatContext): Trace {
  switch (step.kind) {
    case 'filter':
    case 'sort':
    case 'limit':
      return trace
    case 'project':
      return { marks: new Map(step.columns.map(column => [column.name, marksOf(column, trace)])), joins: trace.joins }
    case 'aggregate': {
      const grouping = step.by.flatMap(name => [...(trace.marks.get(name) ?? NOTHING)])
      for (const measure of step.measures) checkMeasure(key, measure, { trace, grouping: new Set(grouping), reports })
      return { marks: new Map(), joins: new Set() }
    }
  }
}

/** All parts of a projection but its kind and name are columns. */
function marksOf({ kind: _, name: __, ...operands }: Projected, { marks }: Trace): Marks {
  return new Set(Object.values(operands).flatMap(name => [...(marks.get(name) ?? NOTHING)]))
}

interface GroupedRows {
  readonly trace: Trace
  readonly grouping: Marks
  readonly reports: ReadonlyMap<NodeId, MatchReport>
}

function checkMeasure(key: string, measure: Measure, { trace, grouping, reports }: GroupedRows): void {
  if (measure.function === 'min' || measure.function === 'max' || measure.function === 'count_distinct') return
  const counts = measure.function === 'count' || measure.column === null
  const marks = trace.marks.get(measure.column ?? '') ?? NOTHING
  for (const join of trace.joins) {
    const report = reports.get(join)
    if (report === undefined) continue
    const repeats = (side: Side) => {
      const other = side === 'left' ? 'right' : 'left'
      return marks.has(mark(join, side)) && report[other].mostRowsPerKey > 1 && !grouping.has(mark(join, other))
    }
    const wrong = counts ? report.multiplies : report.multiplies || repeats('left') || repeats('right')
    if (wrong)
      refuse(
        `"${key}" cannot calculate "${measure.name}": ${rowsPerKey(report)}, so rows would count several times. Ask for one row of each key.`,
      )
  }
}

function rowsPerKey({ left, right }: MatchReport): string {
  return `a key has up to ${left.mostRowsPerKey} rows on the left side and up to ${right.mostRowsPerKey} on the right side`
}

function mark(join: NodeId, side: Side): string {
  return `${join} ${side}`
}
