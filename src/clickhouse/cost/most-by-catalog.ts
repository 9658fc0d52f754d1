import type { CostEstimate } from '../../warehouse/cost/estimate.ts'
import type { TreeNode } from '../../warehouse/query-tree.ts'
import type { Schema } from '../../warehouse/schema.ts'
import type { ParsedQuery } from '../parsed-query.ts'
import { isIn } from './runs-while-planned.ts'
import { typeWidth } from './type-width.ts'

/**
 * Returns an upper bound of the cost without a plan. Assumes that each SELECT and each IN reads all tables of the query
 * completely. Returns undefined if this is no safe bound: for joins, for unknown row counts, and for CTEs, which may be read many
 * times.
 */
export function mostByCatalog({ tables, tree }: Pick<ParsedQuery, 'tables' | 'tree'>, schema: Schema): CostEstimate | undefined {
  const times = readings(tree)
  const costs = tables.flatMap(name => {
    const table = schema.tables.find(one => `${one.database}.${one.name}` === name)
    if (table === undefined || table.rows === null || !table.engine.endsWith('MergeTree')) return []
    const rows = table.rows * times
    const columns = table.columns.map(column => ({
      name: column.name,
      bytes: Math.round((column.bytesPerRow ?? typeWidth(column.type)) * rows),
    }))
    return [{ table: name, rows, bytes: columns.reduce((sum, { bytes }) => sum + bytes, 0), columns }]
  })
  if (!Number.isFinite(times) || costs.length < tables.length) return undefined
  return {
    tables: costs,
    rows: costs.reduce((sum, { rows }) => sum + rows, 0),
    bytes: costs.reduce((sum, { bytes }) => sum + bytes, 0),
    ...{ joinedRows: 0, unknown: [], isCatalog: true },
  }
}

function readings(node: TreeNode): number {
  if (node.kind === 'JOIN' || node.kind === 'CROSS JOIN' || node.attributes.is_cte === '1') return Number.POSITIVE_INFINITY
  const own = node.kind === 'QUERY' || isIn(node) ? 1 : 0
  return node.branches.reduce((sum, { node: child }) => sum + readings(child), own)
}
