import { type FilterConstant, readConstant } from './read-constant.ts'
import { type ResolvedNode, readResolvedTree, resolvedBranch, resolvedElements } from './resolved-tree.ts'

/** How a column is compared, in the engine's names. */
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

/** A column of a real table that a query compares with constants. */
export interface ColumnFilter {
  /** `database.table`. */
  readonly table: string
  readonly column: string
  /** What is compared: the value, the elements of an array, the keys of a map. */
  readonly part: 'value' | 'elements' | 'keys'
  /** What is applied to the value before, innermost first; undefined where it cannot be written again. */
  readonly functions: readonly string[] | undefined
  readonly operator: FilterOperator
  readonly constants: readonly FilterConstant[]
}

type FilteredColumn = Pick<ColumnFilter, 'table' | 'column' | 'part' | 'functions'>

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
/** A condition that is turned round leaves rows where its value does not occur. */
const NEGATIONS = new Set(['not', 'notEquals', 'notIn', 'globalNotIn', 'notLike', 'notILike', 'isDistinctFrom'])
/** Functions of one argument that a look-up may apply too. */
const REPEATABLE = new Set([
  'lower',
  'upper',
  'lowerUTF8',
  'upperUTF8',
  'trimBoth',
  'trimLeft',
  'trimRight',
  'toString',
  'toDate',
  'toDateTime',
  'toYear',
  'toMonth',
  'toQuarter',
  'toYYYYMM',
  'toYYYYMMDD',
  'toStartOfHour',
  'toStartOfDay',
  'toStartOfMonth',
  'toStartOfQuarter',
  'toStartOfYear',
  'toMonday',
])
/** Columns of columns of … : deeper than any query that a person reads. */
const MOST_STEPS = 30

/**
 * The filters of a query as the engine resolved them: wherever a column of a table is compared with constants, be it in WHERE, ON, HAVING, in the
 * condition of an aggregate, in a subquery or a CTE. Each once; none where the lines are not understood.
 */
export function readFilters(lines: readonly string[]): readonly ColumnFilter[] {
  const root = readResolvedTree(lines)
  if (root === undefined) return []
  const filters = new Map<string, ColumnFilter>()
  const columns = new ColumnFinder(root)
  const visit = (node: ResolvedNode): void => {
    const name = functionName(node)
    if (name !== undefined && NEGATIONS.has(name)) return
    for (const filter of name === undefined ? [] : filtersOf(name, node, columns)) filters.set(JSON.stringify(filter), filter)
    for (const child of node.branches) visit(child.node)
  }
  visit(root)
  return [...filters.values()]
}

function filtersOf(name: string, node: ResolvedNode, columns: ColumnFinder): readonly ColumnFilter[] {
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

function functionName(node: ResolvedNode): string | undefined {
  return node.kind === 'FUNCTION' ? /(?:^|, )function_name: ([^,]+)/.exec(node.text)?.[1] : undefined
}

/** Follows columns of subqueries, CTEs and unions down to the tables. */
class ColumnFinder {
  readonly #sources = new Map<string, ResolvedNode>()

  constructor(root: ResolvedNode) {
    const visit = (node: ResolvedNode): void => {
      if (['TABLE', 'QUERY', 'UNION', 'ARRAY_JOIN', 'JOIN'].includes(node.kind)) this.#sources.set(node.id, node)
      for (const child of node.branches) visit(child.node)
    }
    visit(root)
  }

  /** The columns that an expression is made of: one, or one for each branch of a union; none where it is made of several. */
  of(node: ResolvedNode, steps = 0): readonly FilteredColumn[] {
    if (steps > MOST_STEPS) return []
    if (node.kind === 'COLUMN') return this.#column(node, steps)
    const name = functionName(node)
    // An element of a map is filtered by its key.
    if (name === undefined || name === 'arrayElement') return []
    const operands = resolvedElements(node, 'ARGUMENTS').filter(operand => operand.kind !== 'CONSTANT')
    const [operand, ...others] = operands
    if (operand === undefined || others.length > 0) return []
    const isAlone = resolvedElements(node, 'ARGUMENTS').length === 1
    return this.of(operand, steps + 1).map(column => ({
      ...column,
      functions: isAlone && REPEATABLE.has(name) && column.functions !== undefined ? [...column.functions, name] : undefined,
    }))
  }

  #column(node: ResolvedNode, steps: number): readonly FilteredColumn[] {
    const match = /(?:^|, )column_name: (.*), result_type: (.*), source_id: (\d+)$/s.exec(node.text)
    const [, column = '', type = '', sourceId = ''] = match ?? []
    const source = this.#sources.get(sourceId)
    switch (source?.kind) {
      case 'TABLE': {
        const table = /(?:^|, )table_name: ([^,]+)/.exec(source.text)?.[1]
        return table === undefined ? [] : [{ table, column, part: 'value', functions: [] }]
      }
      case 'QUERY':
        return this.#returned(source, source.returned.indexOf(`${column} ${type}`), steps)
      case 'UNION': {
        const queries = resolvedElements(source, 'QUERIES')
        const at = queries[0]?.returned.findIndex(returned => returned.startsWith(`${column} `)) ?? -1
        return queries.flatMap(query => this.#returned(query, at, steps))
      }
      case 'ARRAY_JOIN': {
        const joined = resolvedElements(source, 'JOIN EXPRESSIONS').find(element =>
          element.text.includes(`column_name: ${column},`),
        )
        const array = joined === undefined ? undefined : resolvedBranch(joined, 'EXPRESSION')
        const found = array === undefined ? [] : this.of(array, steps + 1)
        return found.filter(({ part }) => part === 'value').map(inner => ({ ...inner, part: 'elements' }))
      }
      case 'JOIN': {
        const both = resolvedBranch(node, 'EXPRESSION')
        return both?.kind === 'LIST' ? both.branches.flatMap(side => this.of(side.node, steps + 1)) : []
      }
      default:
        return []
    }
  }

  #returned(query: ResolvedNode, index: number, steps: number): readonly FilteredColumn[] {
    const expression = index < 0 ? undefined : resolvedElements(query, 'PROJECTION')[index]
    return expression === undefined ? [] : this.of(expression, steps + 1)
  }
}
