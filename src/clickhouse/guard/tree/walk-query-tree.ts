import { type Rejection, rejection } from '../../../warehouse/guard/rejection.ts'
import { branch, elements, type TreeNode } from '../../../warehouse/query-tree.ts'
import type { GuardScope } from '../../../warehouse/sql-guard.ts'
import { firstPart } from '../../../warehouse/table-names.ts'
import type { FunctionList } from '../calls/function-list.ts'
import { ReferenceJudge } from '../reference-judge.ts'
import { intersectionOf, type KnownColumns, NO_COLUMNS, UNKNOWN_COLUMNS, unionOf } from './known-columns.ts'
import {
  EMPTY_SCOPE,
  insideOf,
  type NameScope,
  withCte,
  withNames,
  withoutColumns,
  withSources,
  withSourcesAnywhere,
} from './name-scope.ts'
import { mayBeAliasesOf, ownAliases, usesInFrom } from './query-aliases.ts'
import { aliasKey, cteKey, isTableHeading, ReferenceGraph } from './reference-graph.ts'
import { namesInAnyFrom, readsOneTable, tableSource } from './table-source.ts'

export interface WalkedQuery {
  /** The allowed tables that the query contains, as `database.table`, sorted. */
  readonly tables: readonly string[]
  /** The functions that the query calls, under the engine's own names, sorted. */
  readonly functions: readonly string[]
  readonly tree: TreeNode
  /** The columns that each `*` or COLUMNS('…') reads from a table with private columns, by its mark (see `MatcherMarks`). */
  readonly matched: ReadonlyMap<string, readonly string[]>
}

/**
 * Layers 5 to 8 of the guard: every reference in the tree must be allowed. `root` is the guard's own `SELECT * FROM (…)`. Visits
 * every node, and refuses a node in an unexpected place.
 * @param deps.written returns an identifier as the query spells it
 * @param deps.renamesColumns whether subqueries or CTEs may have column names that the tree does not show
 */
export function walkQueryTree(
  root: TreeNode,
  deps: { scope: GuardScope; functions: FunctionList; written: (name: string) => string; renamesColumns: boolean },
): WalkedQuery | Rejection {
  const query = queryInWrapper(root)
  if (query === undefined) return rejection('not_understood', 'The query could not be taken as one SELECT.')
  const anywhere = namesInAnyFrom(root).flatMap(node => tableSource(node, deps.scope) ?? [])
  const graph = new ReferenceGraph(query)
  const judge = new ReferenceJudge({ ...deps, graph, anywhere })
  walkSelect(query, EMPTY_SCOPE, judge)
  return (
    judge.fault ?? {
      tables: [...judge.tables].sort(),
      functions: [...judge.functions].sort(),
      tree: query,
      matched: judge.matched,
    }
  )
}

/**
 * Returns the query inside the guard's own `SELECT * FROM (…)`. Returns undefined if the tree has another shape, because then the
 * SQL has closed the guard's parentheses.
 */
function queryInWrapper(root: TreeNode): TreeNode | undefined {
  const [projection, joinTree, ...others] = root.branches
  const [matcher, ...otherColumns] = projection?.node.branches ?? []
  const isWrapper =
    root.kind === 'QUERY' &&
    others.length === 0 &&
    projection?.heading === 'PROJECTION' &&
    joinTree?.heading === 'JOIN TREE' &&
    matcher?.node.kind === 'MATCHER' &&
    matcher.node.branches.length === 0 &&
    otherColumns.length === 0
  const query = joinTree?.node
  return isWrapper && query !== undefined && isSelect(query) && query.attributes.is_subquery === '1' ? query : undefined
}

/** Walks through a SELECT or UNION: the whole query, a subquery, or the body of a CTE. */
function walkSelect(node: TreeNode, outer: NameScope, judge: ReferenceJudge): void {
  if (node.kind === 'UNION') {
    for (const query of elements(node, 'QUERIES')) walkSelect(query, outer, judge)
    return
  }
  if (node.kind !== 'QUERY') {
    judge.notUnderstood(node)
    return
  }
  const withList = walkWith(node, outer, judge)
  const mayBeAliases = new Set([...outer.mayBeAliases, ...mayBeAliasesOf(node)])
  const joinTree = branch(node, 'JOIN TREE')
  const isOneTable = joinTree?.kind === 'IDENTIFIER'
  const names = { ...withSources(withList, judge.sources(node, withList)), mayBeAliases, isOneTable }
  const own = joinTree === undefined ? NO_COLUMNS : judge.columns.ofTable(joinTree, names)
  const aliases = ownAliases(node)
  const visible = once(() => unionOf(own, outer.visible()))
  // Aliases of the SELECT list are visible in every clause except FROM.
  const clauseNames = {
    ...withNames(names, 'values', valueAliases(elements(node, 'PROJECTION'))),
    aliases: new Set([...aliases, ...outer.aliases]),
    columns: own.certain,
    visible,
    visibleInAliases: usesInFrom(node, aliases) ? () => UNKNOWN_COLUMNS : visible,
    // In ON, the engine resolves an alias before it knows all tables of FROM. So with a join, a name in the alias's definition
    // may mean a table.
    columnsInAliases: readsOneTable(node) ? own.certain : names.columnsInAliases,
  }
  for (const { heading, node: child } of node.branches) {
    if (heading === 'WITH') continue
    if (isTableHeading(heading)) walkTable(child, names, judge)
    else walkClause(child, clauseNames, judge)
  }
}

/**
 * Walks through a clause, or an element of ARRAY JOIN. If a subquery is the whole clause, its aliases are also visible in the
 * outer query. There the engine resolves them again, without the subquery's CTEs: `SELECT p WHERE (WITH secrets AS (…), (SELECT v
 * FROM secrets) AS p SELECT 1)`.
 */
function walkClause(node: TreeNode, names: NameScope, judge: ReferenceJudge): void {
  walkExpression(node, names, judge)
  if (isSelect(node)) walkAliases(node, names, judge)
}

/** Walks through the aliased expressions of a subquery, as if they were outside it. Deeper subqueries are ignored. */
function walkAliases(node: TreeNode, names: NameScope, judge: ReferenceJudge): void {
  for (const { heading, node: child } of node.branches) {
    if (child.attributes.alias !== undefined) {
      if (isTableHeading(heading)) walkTable(child, names, judge)
      else walkExpression(child, names, judge)
    }
    if (!isSelect(child)) walkAliases(child, names, judge)
  }
}

/**
 * Walks the WITH list, and returns the names that are visible after it. An item sees only the items before it. The engine
 * resolves an item wherever it is used, perhaps in a subquery, so a name in the item may mean a column there.
 */
function walkWith(node: TreeNode, outer: NameScope, judge: ReferenceJudge): NameScope {
  let names = outer
  for (const item of elements(node, 'WITH')) {
    const { alias, cte_name: cteName } = item.attributes
    const seen = names
    if (cteName === undefined) {
      const visible = once(() => unionOf(intersectionOf(judge.columnsWhereUsed(node, alias, seen)), outer.visible()))
      const mayBeAliases = new Set([...outer.mayBeAliases, ...mayBeAliasesOf(node)])
      const here = { ...withSourcesAnywhere(names, judge.anywhere), mayBeAliases, visible, visibleInAliases: visible }
      walkExpression(item, here, judge)
      names = withNames(names, item.kind === 'LAMBDA' ? 'lambdas' : 'values', [alias])
    } else {
      walkCte(item, cteName, withoutColumns(withSourcesAnywhere(names, judge.anywhere)), judge)
      names = withCte(names, cteName, judge.columns.ofSelect(item, insideOf(names, cteKey(cteName))))
    }
  }
  return names
}

function walkCte(node: TreeNode, name: string, outer: NameScope, judge: ReferenceJudge): void {
  const names = { ...insideOf(outer, cteKey(name)), recursion: undefined }
  const { is_recursive_cte: isRecursive, union_mode: mode } = node.attributes
  if (isRecursive !== '1' || mode !== 'UNION_ALL') {
    walkSelect(node, names, judge)
    return
  }
  // The first query of the union starts the recursion. In it, the CTE's name still has its outer meaning.
  const [start, ...others] = elements(node, 'QUERIES')
  if (start === undefined) return
  walkSelect(start, names, judge)
  const cteColumns = new Map([...names.cteColumns, [name, judge.columns.ofSelect(start, names)]])
  for (const query of others) walkSelect(query, { ...names, recursion: name, cteColumns }, judge)
}

function walkTable(node: TreeNode, names: NameScope, judge: ReferenceJudge): void {
  switch (node.kind) {
    case 'IDENTIFIER':
      judge.table(node.attributes.identifier ?? '', names)
      break
    case 'QUERY':
    case 'UNION':
      walkSelect(node, names, judge)
      break
    case 'TABLE_FUNCTION':
      judge.tableFunction(node)
      walkChildren(node, names, judge)
      break
    case 'JOIN':
      // Only CROSS and PASTE joins have no condition. Any other join without one is a NATURAL JOIN, although the tree does not
      // say so.
      if (branch(node, 'JOIN EXPRESSION') === undefined && !['CROSS', 'PASTE'].includes(node.attributes.kind ?? '')) {
        judge.naturalJoin(names)
      }
      walkTables(node, names, judge)
      break
    case 'CROSS JOIN':
    case 'ARRAY_JOIN':
      walkTables(node, names, judge)
      break
    default:
      judge.notUnderstood(node)
  }
}

function walkTables(node: TreeNode, names: NameScope, judge: ReferenceJudge): void {
  for (const child of node.branches) {
    if (isTableHeading(child.heading)) {
      walkTable(child.node, names, judge)
      continue
    }
    const isUsing = node.kind === 'JOIN' && child.node.kind === 'LIST'
    // USING contains only names of columns. ON and ARRAY JOIN see only the tables to their left.
    const visible = isUsing ? () => columnsNamedIn(child.node) : once(() => judge.columns.ofTablesIn(node, names))
    for (const clause of clauses(child.node)) walkClause(clause, { ...names, visible, visibleInAliases: visible }, judge)
  }
}

/** Walks through an expression in a clause, or an item of the WITH list. */
function walkExpression(node: TreeNode, outer: NameScope, judge: ReferenceJudge): void {
  const { alias } = node.attributes
  const names = alias === undefined ? outer : inAlias(node, alias, outer)
  switch (node.kind) {
    case 'QUERY':
    case 'UNION':
      walkSelect(node, names, judge)
      break
    case 'FUNCTION':
      judge.call(node, names)
      walkArguments(node, names, judge)
      break
    case 'LAMBDA':
      walkLambda(node, names, false, judge)
      break
    case 'IDENTIFIER':
      if (alias !== undefined) judge.alias(alias, node.attributes.identifier ?? '', names)
      judge.column(node.attributes.identifier ?? '', names)
      break
    case 'MATCHER':
      judge.matcher(node, names)
      walkChildren(node, names, judge)
      break
    case 'CONSTANT':
    case 'LIST':
    case 'APPLY COLUMN TRANSFORMER':
    case 'EXCEPT COLUMN TRANSFORMER':
    case 'REPLACE COLUMN TRANSFORMER':
    case 'SORT':
    case 'INTERPOLATE':
    case 'WINDOW':
      walkChildren(node, names, judge)
      break
    default:
      judge.notUnderstood(node)
  }
}

/** Returns the names visible in an expression with an alias, which the engine may resolve elsewhere in the query. */
function inAlias(node: TreeNode, alias: string, outer: NameScope): NameScope {
  const visible = node.kind === 'LAMBDA' ? () => UNKNOWN_COLUMNS : outer.visibleInAliases
  const names = { ...insideOf(outer, aliasKey(alias)), arguments: EMPTY_SCOPE.arguments, columns: outer.columnsInAliases }
  return { ...names, visible, visibleInAliases: visible }
}

/**
 * @param isArgument whether a function of the engine calls the lambda with values; a lambda with an alias may also be called with
 * a table
 */
function walkLambda(node: TreeNode, outer: NameScope, isArgument: boolean, judge: ReferenceJudge): void {
  const parameters = elements(node, 'ARGUMENTS').flatMap(({ attributes }) => attributes.identifier ?? [])
  const others = [...outer.arguments].filter(name => !parameters.includes(name))
  const names = withNames(withSourcesAnywhere(outer, judge.anywhere), 'parameters', parameters)
  // A lambda that is an argument sees the columns around it, except those with the name of a parameter.
  const columns = new Set(isArgument ? [...outer.columns].filter(name => !parameters.includes(firstPart(name))) : [])
  walkChildren(node, { ...names, columns, arguments: new Set(isArgument ? [...others, ...parameters] : others) }, judge)
}

/** Walks through the arguments of a call. The `*` in `count(*)` and `EXISTS (SELECT * …)` reads no column, so it is skipped. */
function walkArguments(node: TreeNode, names: NameScope, judge: ReferenceJudge): void {
  const name = node.attributes.function_name?.toLowerCase()
  const argument = elements(node, 'ARGUMENTS')[0]
  if (name === 'count') walkChildren(withoutAsterisk(node, 'ARGUMENTS'), names, judge)
  else if (name === 'exists' && argument?.kind === 'QUERY' && onlyFilters(argument)) {
    walkExpression(withoutAsterisk(argument, 'PROJECTION'), names, judge)
  } else if (judge.callsLambdas(node)) {
    for (const { heading, node: list } of node.branches) {
      for (const child of heading === 'ARGUMENTS' ? list.branches.map(one => one.node) : [list]) {
        if (child.kind === 'LAMBDA' && child.attributes.alias === undefined) walkLambda(child, names, true, judge)
        else walkExpression(child, names, judge)
      }
    }
  } else walkChildren(node, names, judge)
}

/**
 * Whether a query never uses the values in its SELECT list. DISTINCT, ALL, and numbers in GROUP BY, ORDER BY or LIMIT BY use
 * them.
 */
function onlyFilters({ attributes, branches }: TreeNode): boolean {
  const headings = new Set(['WITH', 'PROJECTION', 'JOIN TREE', 'PREWHERE', 'WHERE', 'LIMIT', 'OFFSET'])
  const { is_distinct, is_group_by_all, is_order_by_all, is_limit_by_all } = attributes
  return (
    branches.every(({ heading }) => headings.has(heading)) &&
    ![is_distinct, is_group_by_all, is_order_by_all, is_limit_by_all].includes('1')
  )
}

/** Returns a copy of the node without a plain `*` in the list under the heading. */
function withoutAsterisk(node: TreeNode, heading: string): TreeNode {
  const isAsterisk = ({ kind, attributes, branches }: TreeNode) =>
    kind === 'MATCHER' &&
    attributes.matcher_type === 'ASTERISK' &&
    attributes.qualified_identifier === undefined &&
    branches.length === 0
  const branches = node.branches.map(child => {
    if (child.heading !== heading) return child
    const kept = child.node.branches.filter(element => !isAsterisk(element.node))
    return { heading, node: { ...child.node, branches: kept } }
  })
  return { ...node, branches }
}

function walkChildren(node: TreeNode, names: NameScope, judge: ReferenceJudge): void {
  for (const child of node.branches) walkExpression(child.node, names, judge)
}

function clauses(node: TreeNode): readonly TreeNode[] {
  return node.kind === 'LIST' ? node.branches.map(child => child.node) : [node]
}

function isSelect(node: TreeNode): boolean {
  return node.kind === 'QUERY' || node.kind === 'UNION'
}

/** Returns the aliases that stand for values or for bare names, which are judged separately. Aliases of lambdas are left out. */
function valueAliases(items: readonly TreeNode[]): readonly (string | undefined)[] {
  return items
    .filter(item => ['CONSTANT', 'FUNCTION', 'IDENTIFIER'].includes(item.kind) || isSelect(item))
    .map(item => item.attributes.alias)
}

function columnsNamedIn(list: TreeNode): KnownColumns {
  const certain = new Set(list.branches.flatMap(({ node }) => node.attributes.identifier ?? []))
  return { ...NO_COLUMNS, certain }
}

function once<T>(compute: () => T): () => T {
  let value: { readonly of: T } | undefined
  return () => {
    value ??= { of: compute() }
    return value.of
  }
}
