import { isTableHeading } from './name-graph.ts'
import { branch, type TreeNode } from './query-tree.ts'
import type { GuardScope, ScopeColumns } from './sql-guard.ts'
import { tableInScope } from './table-scope.ts'

/** A table of the scope that stands in FROM and whose columns are known. */
export interface TableSource {
  /** `database.table` */
  readonly table: string
  /** What may stand before the name of one of its columns: its alias, its name, both with and without the database. */
  readonly qualifiers: readonly string[]
  readonly columns: ScopeColumns
}

/** The bare names in FROM of this query: tables or CTEs. Those of subqueries in FROM are not among them. */
export function namesInFrom(query: TreeNode): readonly TreeNode[] {
  const joinTree = branch(query, 'JOIN TREE')
  return joinTree === undefined ? [] : namesUnder(joinTree)
}

/** Every bare name that stands in any FROM of the query. */
export function namesInAnyFrom(node: TreeNode): readonly TreeNode[] {
  return node.branches.flatMap(({ heading, node: child }) => [
    ...(isTableHeading(heading) && child.kind === 'IDENTIFIER' ? [child] : []),
    ...namesInAnyFrom(child),
  ])
}

/** Whether this query reads one table or subquery and nothing else. */
export function readsOneTable(query: TreeNode): boolean {
  const joinTree = branch(query, 'JOIN TREE')
  const table = joinTree?.kind === 'ARRAY_JOIN' ? branch(joinTree, 'TABLE EXPRESSION') : joinTree
  return table?.kind === 'IDENTIFIER' || table?.kind === 'QUERY' || table?.kind === 'UNION'
}

/** The table that a name in FROM means if it means none of the CTEs; undefined when nothing is known of its columns. */
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
