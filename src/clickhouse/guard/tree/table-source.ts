import { branch, type TreeNode } from '../../../warehouse/query-tree.ts'
import type { GuardScope, ScopeColumns } from '../../../warehouse/sql-guard.ts'
import { tableInScope } from '../table-scope.ts'
import { isTableHeading } from './reference-graph.ts'

/** A table of the scope in FROM, with its columns. */
export interface TableSource {
  /** The table, as `database.table`. */
  readonly table: string
  /** The possible qualifiers of the table's columns: the alias or the name, with and without the database. */
  readonly qualifiers: readonly string[]
  readonly columns: ScopeColumns
}

/** Returns the bare names of tables and CTEs in the FROM of this query. FROM clauses of subqueries are not included. */
export function namesInFrom(query: TreeNode): readonly TreeNode[] {
  const joinTree = branch(query, 'JOIN TREE')
  return joinTree === undefined ? [] : namesUnder(joinTree)
}

/** Returns all bare names in all FROM clauses of the query. */
export function namesInAnyFrom(node: TreeNode): readonly TreeNode[] {
  return node.branches.flatMap(({ heading, node: child }) => [
    ...(isTableHeading(heading) && child.kind === 'IDENTIFIER' ? [child] : []),
    ...namesInAnyFrom(child),
  ])
}

/** Whether this query reads exactly one table or subquery. */
export function readsOneTable(query: TreeNode): boolean {
  const joinTree = branch(query, 'JOIN TREE')
  const table = joinTree?.kind === 'ARRAY_JOIN' ? branch(joinTree, 'TABLE EXPRESSION') : joinTree
  return table?.kind === 'IDENTIFIER' || table?.kind === 'QUERY' || table?.kind === 'UNION'
}

/**
 * Returns the table that a name in FROM means, unless the name is a CTE. Returns undefined if the table's columns are unknown.
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
