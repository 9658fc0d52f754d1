import type { TableName } from '../../warehouse/schema.ts'
import { qualifiedName } from '../../warehouse/table-names.ts'
import { PIPELINES_LIMITS } from '../limits.ts'
import { layersOf } from '../log/operation-order.ts'
import type { LineageOperation, LineageRun, SeenRun } from './seen-run.ts'
import type { LiveTable } from './source.ts'

/**
 * The state of a table today. `live`: it still has the rows of the run. `replaced`: it has rows of another run. `gone`: it does
 * not exist. An existing input is `live` as long as it exists.
 */
export type NodeState = 'live' | 'replaced' | 'gone'

/** A table that a run read or wrote. */
export interface LineageNode {
  readonly table: TableName
  /** The name that the definition gives to the input, operation or target. It is shown to people. */
  readonly label: string
  readonly kind: 'input' | 'intermediate' | 'target'
  readonly state: NodeState
  /** The operation that wrote the table. Undefined for a table that the run only read. */
  readonly operation: LineageOperation | undefined
  /** The number of rows that the table had during the run. Undefined if it was not logged. */
  readonly rows: number | undefined
  readonly rowsNow: number | undefined
}

/** Rows of the table `from` went into the table `to`. Both have the form `database.table`. */
export interface LineageEdge {
  readonly from: string
  readonly to: string
  readonly role: string
}

/** A node that can be reached from a start node, and the number of edges between the two. */
export interface LineageStep {
  readonly node: LineageNode
  readonly depth: number
}

/** The tables of one run, and the flow of rows between them. */
export class LineageGraph {
  readonly run: LineageRun
  readonly nodes: readonly LineageNode[]
  readonly edges: readonly LineageEdge[]
  readonly #byName: ReadonlyMap<string, LineageNode>
  readonly #into: ReadonlyMap<string, readonly LineageEdge[]>
  readonly #outOf: ReadonlyMap<string, readonly LineageEdge[]>

  /** @param live the tables that still exist, with the rows that they have now, keyed by `database.table` */
  constructor(seen: SeenRun, live: ReadonlyMap<string, LiveTable>) {
    const { run } = seen
    this.run = run
    const operations = inOrder(seen.operations)
    const nodes = new Map<string, LineageNode>()
    for (const operation of operations) nodes.set(qualifiedName(operation.result), nodeOf(operation, run, live))
    for (const { role, table } of operations.flatMap(({ inputs }) => inputs)) {
      const name = qualifiedName(table)
      if (!nodes.has(name)) nodes.set(name, readOnlyNode(role, table, live.get(name)))
    }
    this.nodes = [...nodes.values()]
    this.edges = operations.flatMap(({ result, inputs }) =>
      inputs.map(({ role, table }) => ({ from: qualifiedName(table), to: qualifiedName(result), role })),
    )
    this.#byName = nodes
    this.#into = grouped(this.edges, ({ to }) => to)
    this.#outOf = grouped(this.edges, ({ from }) => from)
  }

  /** Finds a node by `database.table`, table name or label. */
  find(name: string): LineageNode | undefined {
    const wanted = name.trim().replaceAll('`', '')
    return (
      this.#byName.get(wanted) ??
      this.nodes.find(({ table }) => table.name === wanted) ??
      this.nodes.find(({ label }) => label === wanted)
    )
  }

  get targets(): readonly LineageNode[] {
    return this.nodes.filter(({ kind }) => kind === 'target')
  }

  /** Returns the start node and all nodes from which its rows come, nearest first. */
  backward(start: LineageNode): readonly LineageStep[] {
    return this.#walk(start, name => (this.#into.get(name) ?? []).map(({ from }) => from))
  }

  /** Returns the start node and all nodes into which its rows go, nearest first. */
  forward(start: LineageNode): readonly LineageStep[] {
    return this.#walk(start, name => (this.#outOf.get(name) ?? []).map(({ to }) => to))
  }

  /** Walks breadth first from the start node. Visits each table once, even if several paths or a cycle lead to it. */
  #walk(start: LineageNode, next: (name: string) => readonly string[]): readonly LineageStep[] {
    const steps: LineageStep[] = []
    const met = new Set([qualifiedName(start.table)])
    let layer = [start]
    for (let depth = 0; layer.length > 0 && depth <= PIPELINES_LIMITS.depth; depth += 1) {
      steps.push(...layer.map(node => ({ node, depth })))
      const names = layer.flatMap(({ table }) => next(qualifiedName(table))).filter(name => !met.has(name) && met.add(name))
      layer = names.flatMap(name => this.#byName.get(name) ?? [])
    }
    return steps
  }
}

/**
 * Sorts operations, so that all runs of a job show them in the same order. Each operation follows those that it depends on.
 * Operations that do not depend on each other are sorted by name.
 */
function inOrder(logged: readonly LineageOperation[]): readonly LineageOperation[] {
  const byName = logged.toSorted((one, other) => (one.operation < other.operation ? -1 : Number(one.operation > other.operation)))
  const byResult = new Map<string, LineageOperation[]>()
  for (const operation of byName) {
    const result = qualifiedName(operation.result)
    byResult.set(result, [...(byResult.get(result) ?? []), operation])
  }
  const needs = (result: string) =>
    (byResult.get(result) ?? []).flatMap(({ inputs }) => inputs.map(({ table }) => qualifiedName(table)))
  const sorted = layersOf([...byResult.keys()], needs)
  return 'cycle' in sorted ? byName : sorted.layers.flat().flatMap(result => byResult.get(result) ?? [])
}

function grouped(edges: readonly LineageEdge[], end: (edge: LineageEdge) => string): ReadonlyMap<string, readonly LineageEdge[]> {
  const groups = new Map<string, LineageEdge[]>()
  for (const edge of edges) groups.set(end(edge), [...(groups.get(end(edge)) ?? []), edge])
  return groups
}

function nodeOf(operation: LineageOperation, run: LineageRun, live: ReadonlyMap<string, LiveTable>): LineageNode {
  const there = live.get(qualifiedName(operation.result))
  const holdsThisRun = !operation.isMade || there?.runId === undefined || there.runId === run.id
  return {
    table: operation.result,
    label: operation.operation,
    kind: operation.kind === 'operation' ? 'intermediate' : operation.kind,
    state: there === undefined ? 'gone' : holdsThisRun ? 'live' : 'replaced',
    operation,
    rows: operation.rows,
    rowsNow: there?.rows,
  }
}

function readOnlyNode(role: string, table: TableName, there: LiveTable | undefined): LineageNode {
  const state = there === undefined ? 'gone' : 'live'
  return { table, label: role, kind: 'input', state, operation: undefined, rows: undefined, rowsNow: there?.rows }
}
