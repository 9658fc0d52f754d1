/** One node in the output of `EXPLAIN QUERY TREE run_passes = 0`. At this stage, the engine has not yet resolved names. */
export interface TreeNode<Kind extends string = NodeKind> {
  readonly kind: Kind
  readonly attributes: Readonly<Record<string, string | undefined>>
  /** The child nodes, in the order in which the engine prints them. */
  readonly branches: readonly TreeBranch<Kind>[]
}

/** A child node, and the heading that the engine prints above it, such as `WHERE`. An element of a LIST has an empty heading. */
export interface TreeBranch<Kind extends string = NodeKind> {
  readonly heading: string
  readonly node: TreeNode<Kind>
}

export type NodeKind =
  | 'QUERY'
  | 'UNION'
  | 'LIST'
  | 'IDENTIFIER'
  | 'CONSTANT'
  | 'FUNCTION'
  | 'LAMBDA'
  | 'MATCHER'
  | 'APPLY COLUMN TRANSFORMER'
  | 'EXCEPT COLUMN TRANSFORMER'
  | 'REPLACE COLUMN TRANSFORMER'
  | 'SORT'
  | 'INTERPOLATE'
  | 'WINDOW'
  | 'JOIN'
  | 'CROSS JOIN'
  | 'ARRAY_JOIN'
  | 'TABLE_FUNCTION'

export function branch<Kind extends string>(node: TreeNode<Kind>, heading: string): TreeNode<Kind> | undefined {
  return node.branches.find(child => child.heading === heading)?.node
}

/** Returns the elements of the LIST below a heading. Returns an empty array if the node has no such heading. */
export function elements<Kind extends string>(node: TreeNode<Kind>, heading: string): readonly TreeNode<Kind>[] {
  return branch(node, heading)?.branches.map(child => child.node) ?? []
}
