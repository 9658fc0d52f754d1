import type { CostEstimate, TableCost } from '../../warehouse/cost/estimate.ts'
import { totalCost } from '../../warehouse/cost/total-cost.ts'
import type { Schema, TableSchema } from '../../warehouse/schema.ts'
import type { PlanColumn, PlanNode } from './query-plan.ts'
import { typeWidth } from './type-width.ts'

/**
 * The default number of rows per mark (index_granularity). Used for tables that the schema does not contain, such as those behind
 * a view.
 */
const GRANULE_ROWS = 8_192
/** A query with LIMIT reads about this many rows before it stops: one block for each of its two threads. */
const FIRST_BLOCKS_ROWS = 2 * 65_536
/** Matches plan steps through which a LIMIT also limits the step below, so that reading stops early. */
const PASSING = /^(?:Expression|Limit|Union|JoinLazyColumnsStep|ReadFromMerge|Offset)$/
/** Matches plan steps that read no table. They produce constants, ranges of numbers, or counts from metadata. */
const READS_NOTHING = /^ReadFrom(?:PreparedSource|SystemNumbers|SystemOne|Merge)$/

/**
 * Estimates the rows and bytes that a plan reads. For a MergeTree table, this is its number of rows times the share of marks that
 * the plan selects. For any other table, it is all rows, or an entry in `unknown` if their number is unknown.
 * @param tables the tables in the query, as `database.table`
 */
export function estimatePlan(plan: PlanNode, tables: readonly string[], schema: Schema): CostEstimate {
  const known = new Map(schema.tables.map(table => [`${table.database}.${table.name}`, table]))
  const walk: Walk = { known, reads: [], joinedRows: 0, readsOther: false }
  visit(plan, null, walk)
  const named = tables.flatMap(name => known.get(name) ?? [])
  // The plan names only MergeTree tables. The other tables come from the query.
  const others = walk.readsOther ? named.filter(table => isOther(table)) : []
  const reads = [...walk.reads, ...others.flatMap(table => (table.rows === null ? [] : [readWhole(table, table.rows)]))]
  return {
    ...totalCost(reads),
    joinedRows: walk.joinedRows,
    unknown: unknownTables(walk, named, others).map(table => `${table.database}.${table.name}`),
  }
}

/**
 * Returns the tables with an unknown number of rows. If the plan reads a table that the query does not name, one of the query's
 * views reads it. The plan does not tell which one, so all views are returned.
 */
function unknownTables(
  { readsOther }: Walk,
  named: readonly TableSchema[],
  others: readonly TableSchema[],
): readonly TableSchema[] {
  if (readsOther && others.length === 0) return named.filter(table => table.engine.endsWith('View'))
  return others.filter(table => table.rows === null)
}

interface Walk {
  readonly known: ReadonlyMap<string, TableSchema>
  readonly reads: TableCost[]
  joinedRows: number
  /** True if the plan reads a table of another engine than MergeTree. */
  readsOther: boolean
}

/**
 * @param bound the maximum number of rows that the step above needs, or null if it needs all
 * @returns the maximum number of rows that this step returns
 */
function visit(node: PlanNode, bound: number | null, walk: Walk): number {
  if (node.kind === 'ReadFromMergeTree') return readMergeTree(node, bound, walk)
  if (node.kind === 'LazilyReadFromMergeTree') return 0
  if (node.kind.startsWith('ReadFrom') && node.children.length === 0) {
    if (!READS_NOTHING.test(node.kind)) walk.readsOther = true
    return 1
  }
  const taken = node.limit === null ? bound : Math.min(node.limit, bound ?? Number.POSITIVE_INFINITY)
  const passed = boundBelow(node, taken)
  const rows = node.children.map(child => visit(child, passed, walk))
  const out = rowsOut(node, rows)
  if (isProduct(node) && taken === null) walk.joinedRows = Math.max(walk.joinedRows, out)
  return taken === null ? out : Math.min(out, taken)
}

function boundBelow(node: PlanNode, bound: number | null): number | null {
  if (bound === null) return null
  if (PASSING.test(node.kind)) return isFiltering(node) || node.joinsArrays ? null : bound + node.offset
  // If the engine reads a table in the order of ORDER BY, it stops as soon as the LIMIT is reached.
  if (node.kind === 'Sorting') return readsInOrder(node) ? bound : null
  // A join first reads one of its tables completely, whatever the LIMIT.
  return null
}

function rowsOut(node: PlanNode, rows: readonly number[]): number {
  const [first = 0, second = 1] = rows
  if (isProduct(node)) return first * Math.max(1, second)
  if (node.groupKeys?.length === 0) return 1
  if (node.kind === 'Union' || node.kind === 'ReadFromMerge') return rows.reduce((sum, each) => sum + each, 0)
  if (node.kind === 'Join') return Math.max(first, second)
  return first
}

/** Whether a join pairs all rows with all rows. The engine also plans `ON a.x > b.x` in this way, with a filter after it. */
function isProduct(node: PlanNode): boolean {
  return node.joinType === 'CROSS'
}

/** Whether a step filters rows. A WHERE may be inside an Expression step, so the step's description decides and not its type. */
function isFiltering({ description }: PlanNode): boolean {
  return /\b(?:WHERE|HAVING|QUALIFY)\b/.test(description)
}

function readsInOrder(node: PlanNode): boolean {
  return node.kind === 'ReadFromMergeTree' ? node.readsInOrder : node.children.length === 1 && node.children.every(readsInOrder)
}

function readMergeTree(node: PlanNode, bound: number | null, walk: Walk): number {
  const table = walk.known.get(node.description)
  const { selected, initial } = node.granules ?? { selected: 0, initial: 0 }
  const share = initial === 0 ? 0 : selected / initial
  const all = table?.rows ?? null
  const selectedRows = Math.round(all === null ? selected * GRANULE_ROWS : all * share)
  // A read that also filters may need all rows to find enough matches. So a LIMIT does not make it shorter.
  const isBounded = bound !== null && node.filterColumns.length === 0
  const rows = isBounded ? Math.min(selectedRows, bound + FIRST_BLOCKS_ROWS) : selectedRows
  walk.reads.push(readPart(node.description, table, [...node.columns, ...node.filterColumns], rows))
  return rows
}

function readPart(name: string, table: TableSchema | undefined, columns: readonly PlanColumn[], rows: number): TableCost {
  // The schema does not list subcolumns such as `t.x` or `list.size0`, so their width is estimated from their type.
  const byName = new Map(columns.map(column => [column.name, column]))
  const sizes = [...byName.values()].map(column => {
    const width = table?.columns.find(each => each.name === column.name)?.bytesPerRow ?? typeWidth(column.type)
    return { name: column.name, bytes: Math.round(width * rows) }
  })
  return { table: name, rows, bytes: sizes.reduce((sum, { bytes }) => sum + bytes, 0), columns: sizes }
}

function readWhole(table: TableSchema, rows: number): TableCost {
  return readPart(`${table.database}.${table.name}`, table, table.columns, rows)
}

function isOther(table: TableSchema): boolean {
  return !table.engine.endsWith('MergeTree') && table.engine !== 'Merge' && !table.engine.endsWith('View')
}
