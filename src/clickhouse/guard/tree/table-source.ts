import { tableInScope } from '../../../warehouse/guard/table-scope.ts'
import { branch, type TreeNode } from '../../../warehouse/query-tree.ts'
import type { GuardScope, ScopeColumns } from '../../../warehouse/sql-guard.ts'
import { isTableHeading } from './reference-graph.ts'

/** A table in FROM that the query is allowed to read, with its columns. */
export interface TableSource {
  /** The table, as `database.table`. */
  readonly table: string
  /** All qualifiers of the table's columns: its alias, and its name with and without the database. */
  readonly qualifiers: readonly string[]
  readonly columns: ScopeColumns
}

/** Returns the names of tables and CTEs in this query's own FROM, without those in subqueries. */
export function namesInFrom(query: TreeNode): readonly TreeNode[] {
  const joinTree = branch(query, 'JOIN TREE')
  return joinTree === undefined ? [] : namesUnder(joinTree)
}

/** Returns the names of tables and CTEs in all FROM clauses, also in subqueries. */
export function namesInAnyFrom(node: TreeNode): readonly TreeNode[] {
  return node.branches.flatMap(({ heading, node: child }) => [
    ...(isTableHeading(heading) && child.kind === 'IDENTIFIER' ? [child] : []),
    ...namesInAnyFrom(child),
  ])
}

/** Whether this query's FROM consists of exactly one table or subquery. */
export function readsOneTable(query: TreeNode): boolean {
  const joinTree = branch(query, 'JOIN TREE')
  const table = joinTree?.kind === 'ARRAY_JOIN' ? branch(joinTree, 'TABLE EXPRESSION') : joinTree
  return table?.kind === 'IDENTIFIER' || table?.kind === 'QUERY' || table?.kind === 'UNION'
}

/**
 * Returns the allowed table that a name in FROM means, or undefined if its columns are unknown. The caller must have checked that
 * the name is not a CTE.
 */
export function tableSource({ attributes }: TreeNode, scope: GuardScope): TableSource | undefined {
  const table = tableInScope(attributes.identifier ?? '', scope)
  const columns = table === undefined ? undefined : scope.columns?.get(table)
  if (table === undefined || columns === undefined) return undefined
  const name = table.slice(table.indexOf('.') + 1)
  return { table, columns, qualifiers: [table, name, ...(attributes.alias === undefined ? [] : [attributes.alias])] }
}

function namesUnder(node: TreeNode): readonly TreeNode[] {
  if (node.kind === 'IDENTIFIER') return [node]
  if (!['JOIN', 'CROSS JOIN', 'ARRAY_JOIN'].includes(node.kind)) return []
  return node.branches.flatMap(child => (isTableHeading(child.heading) ? namesUnder(child.node) : []))
}
