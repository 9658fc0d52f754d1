import { SERVER_LIMITS } from '../limits.ts'
import { type ResolvedNode, resolvedBranch, resolvedColumn, resolvedElements } from '../resolved-tree.ts'

/** A column of a table, and how a query's filter uses it. */
export interface FilteredColumn {
  /** The table, as `database.table`. */
  readonly table: string
  readonly column: string
  /** The column's type in the server's spelling, such as `Nullable(String)`. */
  readonly type: string
  /** The compared thing: the column's value, the elements of an array, or the keys of a map. */
  readonly part: 'value' | 'elements' | 'keys'
  /**
   * The functions applied before the comparison, innermost first: `trimBoth` and `lower` for `lower(trimBoth(city))`. Undefined
   * if one of them is not in `REPEATABLE`, so that a look-up query cannot apply it.
   */
  readonly functions: readonly string[] | undefined
  /**
   * All functions that the query applies to the column, innermost first. Their constant arguments are written as in the query
   * tree.
   */
  readonly applied: readonly AppliedFunction[]
}

export interface AppliedFunction {
  readonly name: string
  readonly constants: readonly string[]
}

/** Functions with one argument that a look-up query can apply just like the original query. */
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

/** Finds the table columns behind an expression. Follows names through subqueries, CTEs and unions back to the tables. */
export class ColumnFinder {
  readonly #sources = new Map<string, ResolvedNode>()

  constructor(root: ResolvedNode) {
    const visit = (node: ResolvedNode): void => {
      if (['TABLE', 'QUERY', 'UNION', 'ARRAY_JOIN', 'JOIN'].includes(node.kind)) this.#sources.set(node.id, node)
      for (const child of node.branches) visit(child.node)
    }
    visit(root)
  }

  /**
   * Returns the column behind an expression, such as `city` for `lower(city)`. A union gives one column per branch. An expression
   * of several columns gives none.
   */
  of(node: ResolvedNode, steps = 0): readonly FilteredColumn[] {
    if (steps > SERVER_LIMITS.lookUp.nestedColumns) return []
    if (node.kind === 'COLUMN') return this.#column(node, steps)
    const name = functionName(node)
    // In `m['key'] = 'value'`, only the key is looked up (see `filtersOf`), so the map's element leads to no column here.
    if (name === undefined || name === 'arrayElement') return []
    const operands = resolvedElements(node, 'ARGUMENTS').filter(operand => operand.kind !== 'CONSTANT')
    const [operand, ...others] = operands
    if (operand === undefined || others.length > 0) return []
    const constants = resolvedElements(node, 'ARGUMENTS').filter(other => other !== operand)
    const isAlone = constants.length === 0
    return this.of(operand, steps + 1).map(column => ({
      ...column,
      applied: [...column.applied, { name, constants: constants.map(({ text }) => text) }],
      functions: isAlone && REPEATABLE.has(name) && column.functions !== undefined ? [...column.functions, name] : undefined,
    }))
  }

  returned(node: ResolvedNode): readonly FilteredColumn[] {
    return node.kind === 'QUERY' ? this.#returned(node, 0, 0) : []
  }

  #column(node: ResolvedNode, steps: number): readonly FilteredColumn[] {
    const { name: column = '', type = '', sourceId = '' } = resolvedColumn(node) ?? {}
    const source = this.#sources.get(sourceId)
    switch (source?.kind) {
      case 'TABLE': {
        const table = /(?:^|, )table_name: ([^,]+)/.exec(source.text)?.[1]
        return table === undefined ? [] : [{ table, column, type, part: 'value', functions: [], applied: [] }]
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

export function functionName(node: ResolvedNode): string | undefined {
  return node.kind === 'FUNCTION' ? /(?:^|, )function_name: ([^,]+)/.exec(node.text)?.[1] : undefined
}
