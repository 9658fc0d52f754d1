import { type Columns, nameFromRight } from './columns.ts'
import type { MatchReport } from './match-report.ts'
import type { Compare, Join, Measure, NodeId, PlanNode, Post, PostStep, Projected } from './plan.ts'
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
  const { definition } = node
  switch (definition.kind) {
    case 'standalone':
      return traceOf(definition.input)
    case 'join':
      return traceJoin(node.id, definition, traceOf, context)
    case 'compare':
      return traceCompare(node.id, definition, traceOf, context)
    case 'union':
      return merged(definition.inputs.map(({ input }) => traceOf(input)))
  }
}

function traceJoin(id: NodeId, join: Join, traceOf: (id: NodeId) => Trace, { columnsOf }: RepeatContext): Trace {
  const left = columnsOf(join.left)
  const isKey = (name: string) => join.on.some(pair => pair.left === name)
  const marked = (from: NodeId, name: string, side: Side) =>
    new Set([...(traceOf(from).marks.get(name) ?? NOTHING), mark(id, side)])
  const marks = new Map<string, Marks>()
  for (const { name } of left) {
    if (!isKey(name)) marks.set(name, marked(join.left, name, 'left'))
  }
  for (const { name } of columnsOf(join.right)) {
    const given = nameFromRight(join, left, name)
    if (given !== undefined) marks.set(given, marked(join.right, name, 'right'))
  }
  return { marks, joins: new Set([...traceOf(join.left).joins, ...traceOf(join.right).joins, id]) }
}

function traceCompare(id: NodeId, compare: Compare, traceOf: (id: NodeId) => Trace, { reports }: RepeatContext): Trace {
  const report = reports.get(id)
  if (report?.multiplies) {
    refuse(`"${compare.key}" cannot compare its inputs: ${rowsPerKey(report)}. Ask for one row of each key.`)
  }
  const marks = new Map<string, Marks>()
  for (const { left, right } of compare.values) {
    marks.set(`${left}_left`, new Set([...(traceOf(compare.left).marks.get(left) ?? NOTHING), mark(id, 'left')]))
    marks.set(`${right}_right`, new Set([...(traceOf(compare.right).marks.get(right) ?? NOTHING), mark(id, 'right')]))
  }
  return { marks, joins: new Set([...traceOf(compare.left).joins, ...traceOf(compare.right).joins, id]) }
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

function marksOf(projected: Projected, { marks }: Trace): Marks {
  return new Set(operandsOf(projected).flatMap(name => [...(marks.get(name) ?? NOTHING)]))
}

function operandsOf(projected: Projected): readonly string[] {
  switch (projected.kind) {
    case 'column':
      return [projected.column]
    case 'ratio':
      return [projected.of, projected.by]
    case 'minus':
      return [projected.from, projected.subtract]
  }
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

function merged(traces: readonly Trace[]): Trace {
  const marks = new Map<string, Marks>()
  for (const [name, own] of traces.flatMap(trace => [...trace.marks])) {
    marks.set(name, new Set([...(marks.get(name) ?? NOTHING), ...own]))
  }
  return { marks, joins: new Set(traces.flatMap(trace => [...trace.joins])) }
}
