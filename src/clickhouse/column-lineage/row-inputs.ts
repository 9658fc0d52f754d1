import { type InputColumn, mergedInputs, type Transformation, transformed } from '../../warehouse/column-lineage.ts'
import { type ResolvedNode, resolvedBranch, resolvedElements } from '../resolved-tree.ts'
import { attribute, queriesOf, UntracedTreeError, unionMode } from './resolved-sources.ts'

/**
 * Finds the table columns that an expression reads. `rowInputs` applies it to expressions that decide which rows a query returns.
 */
export interface ValueInputs {
  expression(node: ResolvedNode): readonly InputColumn[]
  /** Returns the table columns on which one result column of a query or UNION depends. `place` is its position. */
  returned(source: ResolvedNode, place: number): readonly InputColumn[]
}

/** How each clause affects which rows a query returns. Undefined if it does not. */
const CLAUSES: ReadonlyMap<string, Transformation | undefined> = new Map([
  ['CORRELATED COLUMNS', undefined],
  ['PROJECTION', undefined],
  ['JOIN TREE', undefined],
  ['WINDOW', undefined],
  ['PREWHERE', 'FILTER'],
  ['WHERE', 'FILTER'],
  ['HAVING', 'FILTER'],
  ['QUALIFY', 'FILTER'],
  ['LIMIT BY LIMIT', 'FILTER'],
  ['LIMIT BY OFFSET', 'FILTER'],
  ['LIMIT', 'FILTER'],
  ['OFFSET', 'FILTER'],
  ['GROUP BY', 'GROUP_BY'],
  ['LIMIT BY', 'GROUP_BY'],
  ['ORDER BY', 'SORT'],
  ['INTERPOLATE', 'SORT'],
])
const PICKS_BY_ORDER = new Set(['LIMIT', 'OFFSET', 'LIMIT BY', 'LIMIT BY LIMIT', 'INTERPOLATE'])

/**
 * Returns the columns that decide which rows a source has, such as the columns in WHERE. A source is a table, a query or a join.
 * @param isOrdered true if the order of the rows matters to an outer step, such as LIMIT
 * @throws UntracedTreeError if the tree has a node that Clew does not know
 */
export function rowInputs(source: ResolvedNode, isOrdered: boolean, values: ValueInputs): readonly InputColumn[] {
  switch (source.kind) {
    case 'TABLE':
      return []
    case 'TABLE_FUNCTION':
      // The tree leaves the names inside the table function `view(SELECT …)` unresolved, so its inputs are unknown.
      if (resolvedElements(source, 'ARGUMENTS').some(({ kind }) => kind === 'QUERY' || kind === 'UNION'))
        throw new UntracedTreeError(source.text)
      return []
    case 'QUERY':
      return ofQuery(source, isOrdered, values)
    case 'UNION':
      return ofUnion(source, isOrdered, values)
    case 'JOIN':
    case 'CROSS JOIN':
      return ofJoin(source, isOrdered, values)
    case 'ARRAY_JOIN': {
      const table = resolvedBranch(source, 'TABLE EXPRESSION')
      if (table === undefined) throw new UntracedTreeError(source.text)
      const arrays = resolvedElements(source, 'JOIN EXPRESSIONS').flatMap(column => values.expression(column))
      return mergedInputs([...rowInputs(table, isOrdered, values), ...transformed(arrays, 'FILTER')])
    }
    default:
      throw new UntracedTreeError(source.kind)
  }
}

function ofQuery(query: ResolvedNode, isOrdered: boolean, values: ValueInputs): readonly InputColumn[] {
  const picksByOrder = query.branches.some(({ heading }) => PICKS_BY_ORDER.has(heading))
  const fillsGaps = resolvedElements(query, 'ORDER BY').some(sort => attribute(sort, 'with_fill') === '1')
  const functions = ownFunctions(query)
  const gathersRows = functions.some(node => attribute(node, 'function_type') !== 'ordinary')
  const decided = query.branches.flatMap(({ heading, node }) => {
    if (!CLAUSES.has(heading)) throw new UntracedTreeError(heading)
    const transformation = CLAUSES.get(heading)
    const isOnlyOrder = heading === 'ORDER BY' && !isOrdered && !picksByOrder && !fillsGaps
    return transformation === undefined || isOnlyOrder ? [] : transformed(values.expression(node), transformation)
  })
  const distinct = attribute(query, 'is_distinct') === '1' ? resolvedElements(query, 'PROJECTION') : []
  const unfolded = functions.filter(node => attribute(node, 'function_name') === 'arrayJoin')
  const from = resolvedBranch(query, 'JOIN TREE')
  return mergedInputs([
    ...(from === undefined ? [] : rowInputs(from, isOrdered || picksByOrder || gathersRows, values)),
    ...decided,
    ...transformed(
      distinct.flatMap(column => values.expression(column)),
      'GROUP_BY',
    ),
    ...transformed(
      unfolded.flatMap(node => values.expression(node)),
      'FILTER',
    ),
  ])
}

function ofUnion(union: ResolvedNode, isOrdered: boolean, values: ValueInputs): readonly InputColumn[] {
  const queries = resolvedElements(union, 'QUERIES')
  const mode = unionMode(union)
  // UNION DISTINCT, EXCEPT and INTERSECT compare whole rows, so every column decides which rows remain. UNION ALL keeps all rows.
  const compared = mode === 'UNION_ALL' ? [] : queries
  const columns = compared.flatMap(query => {
    const places = queriesOf(query)[0]?.returned ?? []
    return places.flatMap((_, place) => values.returned(query, place))
  })
  return mergedInputs([
    ...queries.flatMap(query => rowInputs(query, isOrdered, values)),
    ...transformed(columns, mode === 'UNION_DISTINCT' ? 'GROUP_BY' : 'FILTER'),
  ])
}

function ofJoin(join: ResolvedNode, isOrdered: boolean, values: ValueInputs): readonly InputColumn[] {
  // An ANY join takes the first match, and a PASTE join pairs rows by position. So both depend on the order of the rows.
  const goesByOrder = join.kind === 'JOIN' && (attribute(join, 'strictness') !== 'ALL' || attribute(join, 'kind') === 'PASTE')
  const sides = join.branches.filter(({ heading }) => heading.endsWith('TABLE EXPRESSION'))
  const condition = resolvedBranch(join, 'JOIN EXPRESSION')
  return mergedInputs([
    ...sides.flatMap(({ node }) => rowInputs(node, isOrdered || goesByOrder, values)),
    ...(condition === undefined ? [] : transformed(values.expression(condition), 'JOIN')),
  ])
}

/** Returns the functions that a query itself calls, without those in its FROM and its subqueries. */
function ownFunctions(query: ResolvedNode): readonly ResolvedNode[] {
  const inside = (node: ResolvedNode): readonly ResolvedNode[] => {
    if (node.kind === 'QUERY' || node.kind === 'UNION') return []
    const below = node.branches.flatMap(child => inside(child.node))
    return node.kind === 'FUNCTION' ? [node, ...below] : below
  }
  return query.branches.flatMap(({ heading, node }) => (heading === 'JOIN TREE' ? [] : inside(node)))
}
