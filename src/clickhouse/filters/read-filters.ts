import { type ResolvedNode, readResolvedTree, resolvedElements } from '../resolved-tree.ts'
import { ColumnFinder, type FilteredColumn, functionName } from './column-finder.ts'
import { type FilterConstant, readConstant } from './read-constant.ts'

/** The kind of comparison in a filter, such as `less` for `<`. The names are those of the engine's functions. */
export type FilterOperator =
  | 'equals'
  | 'less'
  | 'lessOrEquals'
  | 'greater'
  | 'greaterOrEquals'
  | 'in'
  | 'like'
  | 'ilike'
  | 'match'
  | 'startsWith'
  | 'endsWith'
  | 'position'
  | 'positionCaseInsensitive'
  | 'positionUTF8'
  | 'positionCaseInsensitiveUTF8'
  | 'hasToken'
  | 'hasTokenCaseInsensitive'

/** A comparison of a table's column with constants, as found in a query: `country IN ('DE', 'FR')`. */
export interface ColumnFilter extends FilteredColumn {
  readonly operator: FilterOperator
  readonly constants: readonly FilterConstant[]
  /**
   * The id of the OR or the list that contains this condition. Filters with the same `oneOf` are alternatives: a row must match
   * only one.
   */
  readonly oneOf?: string
}

/** Two columns that a query compares for equality: in ON or USING, or left and right of IN. */
export interface JoinedColumns {
  readonly left: Pick<ColumnFilter, 'table' | 'column'>
  readonly right: Pick<ColumnFilter, 'table' | 'column'>
}

const OPERATORS: Readonly<Record<string, FilterOperator>> = {
  equals: 'equals',
  isNotDistinctFrom: 'equals',
  less: 'less',
  lessOrEquals: 'lessOrEquals',
  greater: 'greater',
  greaterOrEquals: 'greaterOrEquals',
  in: 'in',
  globalIn: 'in',
  nullIn: 'in',
  like: 'like',
  ilike: 'ilike',
  match: 'match',
  startsWith: 'startsWith',
  endsWith: 'endsWith',
  position: 'position',
  positionUTF8: 'positionUTF8',
  positionCaseInsensitive: 'positionCaseInsensitive',
  positionCaseInsensitiveUTF8: 'positionCaseInsensitiveUTF8',
  hasToken: 'hasToken',
  hasTokenCaseInsensitive: 'hasTokenCaseInsensitive',
  multiSearchAny: 'position',
  multiSearchAnyUTF8: 'positionUTF8',
  multiSearchAnyCaseInsensitive: 'positionCaseInsensitive',
  multiSearchAnyCaseInsensitiveUTF8: 'positionCaseInsensitiveUTF8',
}
const MIRRORED: Readonly<Partial<Record<FilterOperator, FilterOperator>>> = {
  equals: 'equals',
  less: 'greater',
  lessOrEquals: 'greaterOrEquals',
  greater: 'less',
  greaterOrEquals: 'lessOrEquals',
}
const OF_ARRAYS = new Set(['has', 'hasAny', 'hasAll'])
/**
 * Functions that negate a condition. A value that does not exist, as in `city != 'Berln'`, then excludes no row. So it cannot
 * explain an empty result and is not looked up.
 */
const NEGATIONS = new Set(['not', 'notEquals', 'notIn', 'globalNotIn', 'notLike', 'notILike', 'isDistinctFrom'])

/**
 * Reads the filters and joined columns from the engine's resolved query. A filter is a comparison of a table's column with
 * constants, in any clause, aggregate condition, subquery or CTE. The result has no duplicates. It is empty if the lines cannot
 * be parsed.
 */
export function readFilters(lines: readonly string[]): {
  readonly filters: readonly ColumnFilter[]
  readonly joins: readonly JoinedColumns[]
} {
  const root = readResolvedTree(lines)
  if (root === undefined) return { filters: [], joins: [] }
  const filters = new Map<string, ColumnFilter>()
  const joins = new Map<string, JoinedColumns>()
  const columns = new ColumnFinder(root)
  const visit = (node: ResolvedNode, or?: string): void => {
    const name = functionName(node)
    if (name !== undefined && NEGATIONS.has(name)) return
    for (const filter of name === undefined ? [] : filtersOf(name, node, columns)) {
      const key = JSON.stringify(filter)
      const oneOf = or ?? (filter.constants.length > 1 && name !== 'hasAll' ? key : undefined)
      const isNeeded = filters.has(key) && filters.get(key)?.oneOf === undefined
      filters.set(key, oneOf === undefined || isNeeded ? filter : { ...filter, oneOf })
    }
    for (const join of joinsOf(name, node, columns)) joins.set(JSON.stringify(join), join)
    const inside = name === 'or' ? (or ?? node.id) : node.kind === 'LIST' ? or : undefined
    for (const child of node.branches) visit(child.node, inside)
  }
  visit(root)
  return { filters: [...filters.values()], joins: [...joins.values()] }
}

function joinsOf(name: string | undefined, node: ResolvedNode, columns: ColumnFinder): readonly JoinedColumns[] {
  if (node.kind === 'JOIN') {
    const using = resolvedElements(node, 'JOIN EXPRESSION')
    return using.flatMap(column => joined(columns.of(column)))
  }
  const operator = name === undefined ? undefined : OPERATORS[name]
  if (operator !== 'equals' && operator !== 'in') return []
  const [left, right] = resolvedElements(node, 'ARGUMENTS')
  if (left === undefined || right === undefined) return []
  const of = operator === 'in' ? columns.returned(right) : columns.of(right)
  return joined([...columns.of(left), ...of])
}

/** Returns the pair of compared columns, unless a side is not a plain column or both sides are the same column. */
function joined(found: readonly FilteredColumn[]): readonly JoinedColumns[] {
  const [left, right, ...others] = found.map(({ table, column }) => ({ table, column }))
  const isPlain = found.every(({ part, functions }) => part === 'value' && functions?.length === 0)
  if (left === undefined || right === undefined || others.length > 0 || !isPlain) return []
  return left.table === right.table && left.column === right.column ? [] : [{ left, right }]
}

/** Returns the comparisons of a column with constants in one function call. */
export function filtersOf(name: string, node: ResolvedNode, columns: ColumnFinder): readonly ColumnFilter[] {
  const [left, right] = resolvedElements(node, 'ARGUMENTS')
  if (left === undefined || right === undefined) return []
  const [leftValues, rightValues] = [constantsOf(left), constantsOf(right)]
  if (name === 'arrayElement' && rightValues?.every(value => value.kind === 'text')) {
    return columns.of(left).map(column => ({ ...column, part: 'keys', operator: 'equals', constants: rightValues }))
  }
  if (OF_ARRAYS.has(name) && rightValues !== undefined) {
    return columns.of(left).map(column => ({ ...column, part: 'elements', operator: 'in', constants: rightValues }))
  }
  const operator = OPERATORS[name]
  if (operator !== undefined && rightValues !== undefined) {
    return columns.of(left).map(column => ({ ...column, operator, constants: rightValues }))
  }
  const mirrored = operator === undefined ? undefined : MIRRORED[operator]
  if (mirrored !== undefined && leftValues !== undefined) {
    return columns.of(right).map(column => ({ ...column, operator: mirrored, constants: leftValues }))
  }
  return []
}

function constantsOf(node: ResolvedNode): readonly FilterConstant[] | undefined {
  return node.kind === 'CONSTANT' ? readConstant(node.text) : undefined
}
