import { z } from 'zod'
import type { CostEstimate, TableCost } from '../../warehouse/cost/estimate.ts'

/** A node of a plan as `EXPLAIN (VERBOSE, FORMAT JSON)` prints it. */
export interface PlanNode {
  readonly type: string
  /** The table that the node scans, as `schema.name`. A partition stands for itself. */
  readonly relation: string | undefined
  readonly rows: number
  /** The average size of a returned row in bytes. */
  readonly width: number
  readonly relationship: string | undefined
  readonly hasCondition: boolean
  readonly children: readonly PlanNode[]
}

const nodeSchema: z.ZodType<PlanNode> = z
  .looseObject({
    'Node Type': z.string(),
    'Relation Name': z.string().optional(),
    Schema: z.string().optional(),
    'Plan Rows': z.number(),
    'Plan Width': z.number(),
    'Parent Relationship': z.string().optional(),
    'Join Filter': z.string().optional(),
    'Index Cond': z.string().optional(),
    'Recheck Cond': z.string().optional(),
    get Plans() {
      return z.array(nodeSchema).optional()
    },
  })
  .transform(node => ({
    type: node['Node Type'],
    relation: node['Relation Name'] === undefined ? undefined : `${node.Schema}.${node['Relation Name']}`,
    rows: node['Plan Rows'],
    width: node['Plan Width'],
    relationship: node['Parent Relationship'],
    hasCondition: [node['Join Filter'], node['Index Cond'], node['Recheck Cond']].some(condition => condition !== undefined),
    children: node.Plans ?? [],
  }))

export const planSchema = z.tuple([z.looseObject({ Plan: nodeSchema })]).transform(([{ Plan }]) => Plan)

/**
 * The size of a table, and the table whose partition it is. `rows` is undefined if the server has never counted them. Rows are
 * stored as a whole, so a scan reads `rowBytes` of each.
 */
export interface RelationSize {
  readonly table: string
  readonly rows: number | undefined
  readonly rowBytes: number
}

/** Nodes that keep the rows of what is below them, and so read it once. */
const KEEPING: ReadonlySet<string> = new Set([
  'Materialize',
  'Memoize',
  'Hash',
  'Sort',
  'Incremental Sort',
  'Aggregate',
  'CTE Scan',
])

/** Returns the tables that a plan scans. */
export function scannedRelations(node: PlanNode): readonly string[] {
  return [...new Set([...(node.relation === undefined ? [] : [node.relation]), ...node.children.flatMap(scannedRelations)])]
}

/**
 * Estimates what a query reads. A sequential scan reads all rows of its table. Another scan reads about the rows that it returns.
 * The right side of a nested loop, and a subquery of a row, are read for each row.
 * @param sizeOf the size of a scanned table
 */
export function costOfPlan(plan: PlanNode, sizeOf: (relation: string) => RelationSize): CostEstimate {
  const costs = new Map<string, { rows: number; bytes: number }>()
  const unknown = new Set<string>()
  let joinedRows = 0
  const visit = (node: PlanNode, times: number) => {
    if (node.relation !== undefined) {
      const { table, rows: all, rowBytes } = sizeOf(node.relation)
      if (node.type === 'Foreign Scan' || (node.type === 'Seq Scan' && all === undefined)) unknown.add(table)
      const rows = times * (node.type === 'Seq Scan' ? Math.max(all ?? 0, node.rows) : node.rows)
      const known = costs.get(table) ?? { rows: 0, bytes: 0 }
      costs.set(table, { rows: known.rows + rows, bytes: known.bytes + rows * Math.max(rowBytes, node.width) })
    }
    const [outer, inner] = node.children.filter(({ relationship }) => relationship === 'Outer' || relationship === 'Inner')
    const isLoop = node.type === 'Nested Loop' && outer !== undefined && inner !== undefined
    if (isLoop && !node.hasCondition && !readsByCondition(inner) && outer.rows > 1 && inner.rows > 1) {
      joinedRows = Math.max(joinedRows, node.rows)
    }
    for (const child of node.children) {
      const isRepeated = (isLoop && child === inner && !KEEPING.has(child.type)) || child.relationship === 'SubPlan'
      visit(child, isRepeated ? times * Math.max(1, isLoop && child === inner ? outer.rows : node.rows) : times)
    }
  }
  visit(plan, 1)
  const tables: TableCost[] = [...costs].map(([table, { rows, bytes }]) => ({
    table,
    rows: Math.round(rows),
    bytes: Math.round(bytes),
    columns: [],
  }))
  return {
    tables: tables.sort((left, right) => right.bytes - left.bytes),
    rows: tables.reduce((sum, { rows }) => sum + rows, 0),
    bytes: tables.reduce((sum, { bytes }) => sum + bytes, 0),
    joinedRows: Math.round(joinedRows),
    unknown: [...unknown],
  }
}

function readsByCondition(node: PlanNode): boolean {
  return node.hasCondition || node.children.some(readsByCondition)
}
