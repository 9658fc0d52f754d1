import { z } from 'zod'
import type { CostEstimate, TableCost } from '../../warehouse/cost/estimate.ts'
import { totalCost } from '../../warehouse/cost/total-cost.ts'

/** A node of a plan as `EXPLAIN (VERBOSE, FORMAT JSON)` prints it. `Plan Width` is the average size of a returned row in bytes. */
const nodeSchema = z.looseObject({
  'Node Type': z.string(),
  /** The table that the node scans. A partition stands for itself. */
  'Relation Name': z.string().optional(),
  Schema: z.string().optional(),
  'Plan Rows': z.number(),
  'Plan Width': z.number(),
  'Parent Relationship': z.string().optional(),
  'Join Filter': z.string().optional(),
  'Index Cond': z.string().optional(),
  'Recheck Cond': z.string().optional(),
  get Plans() {
    return z.array(nodeSchema).default([])
  },
})
type PlanNode = z.infer<typeof nodeSchema>

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
const KEEPING = /^(?:Materialize|Memoize|Hash|Sort|Incremental Sort|Aggregate|CTE Scan)$/

/** Returns the tables that a plan scans, as `schema.name`. */
export function scannedRelations(node: PlanNode): readonly string[] {
  return [...new Set([relationOf(node) ?? [], ...node.Plans.map(scannedRelations)].flat())]
}

/**
 * Estimates what a query reads. A sequential scan reads all rows of its table. Another scan reads about the rows that it returns.
 * The right side of a nested loop, and a subquery of a row, are read for each row.
 * @param sizeOf the size of a scanned table
 */
export function costOfPlan(plan: PlanNode, sizeOf: (relation: string) => RelationSize): CostEstimate {
  const reads: TableCost[] = []
  const unknown = new Set<string>()
  let joinedRows = 0
  const visit = (node: PlanNode, times: number) => {
    const { 'Node Type': type, 'Plan Rows': returned, Plans: children } = node
    const relation = relationOf(node)
    if (relation !== undefined) {
      const { table, rows: all, rowBytes } = sizeOf(relation)
      if (type === 'Foreign Scan' || (type === 'Seq Scan' && all === undefined)) unknown.add(table)
      const rows = times * (type === 'Seq Scan' ? Math.max(all ?? 0, returned) : returned)
      const bytes = rows * Math.max(rowBytes, node['Plan Width'])
      reads.push({ table, rows: Math.round(rows), bytes: Math.round(bytes), columns: [] })
    }
    const [outer, inner] = children.filter(child => /^(?:Outer|Inner)$/.test(child['Parent Relationship'] ?? ''))
    const isLoop = type === 'Nested Loop' && outer !== undefined && inner !== undefined
    const multiplies = isLoop && outer['Plan Rows'] > 1 && inner['Plan Rows'] > 1
    if (multiplies && !hasCondition(node) && !readsByCondition(inner)) joinedRows = Math.max(joinedRows, returned)
    for (const child of children) {
      const isInner = isLoop && child === inner
      const isRepeated = (isInner && !KEEPING.test(child['Node Type'])) || child['Parent Relationship'] === 'SubPlan'
      visit(child, isRepeated ? times * Math.max(1, isInner ? outer['Plan Rows'] : returned) : times)
    }
  }
  visit(plan, 1)
  return { ...totalCost(reads), joinedRows: Math.round(joinedRows), unknown: [...unknown] }
}

function relationOf({ Schema: schema, 'Relation Name': name }: PlanNode): string | undefined {
  return name === undefined ? undefined : `${schema}.${name}`
}

function hasCondition(node: PlanNode): boolean {
  return [node['Join Filter'], node['Index Cond'], node['Recheck Cond']].some(condition => condition !== undefined)
}

function readsByCondition(node: PlanNode): boolean {
  return hasCondition(node) || node.Plans.some(readsByCondition)
}
