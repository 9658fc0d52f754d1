import { cutCharacters, sqlLiteral, sqlName } from '../../warehouse/sql/plain-text.ts'
import { quoteIdentifier } from '../../warehouse/sql/quote-identifier.ts'
import { SERVER_LIMITS } from '../limits.ts'
import { type FilterConstant, isoTime } from './read-constant.ts'
import type { ColumnFilter, FilterOperator } from './read-filters.ts'

const SYMBOLS: Readonly<Partial<Record<FilterOperator, string>>> = {
  equals: '=',
  in: '=',
  less: '<',
  lessOrEquals: '<=',
  greater: '>',
  greaterOrEquals: '>=',
  like: 'LIKE',
  ilike: 'ILIKE',
}

/** Collects values as query parameters, so that they never become part of the SQL text. */
export class BoundValues {
  readonly parameters: Record<string, string | readonly string[]> = {}
  #count = 0

  /**
   * Adds a constant and returns its placeholder for the SQL text. The placeholder's type makes the comparison work as in the
   * original query.
   */
  add(constant: FilterConstant): string {
    switch (constant.kind) {
      case 'text':
        return this.bind('String', constant.text)
      case 'date':
        return this.bind('Date32', constant.text)
      case 'instant':
        return `fromUnixTimestamp64Milli(${this.bind('Int64', String(constant.milliseconds))})`
      case 'number': {
        const isWhole = /^-?\d{1,18}$/.test(constant.text)
        return this.bind(isWhole ? 'Int64' : /^\d{19,20}$/.test(constant.text) ? 'UInt64' : 'Float64', constant.text)
      }
    }
  }

  bind(type: string, value: string | readonly string[]): string {
    const name = `p${this.#count++}`
    this.parameters[name] = value
    return `{${name}:${type}}`
  }
}

/**
 * Writes the comparison of a filter's column with one constant in SQL. Returns undefined if the look-up cannot apply the filter's
 * functions.
 */
export function conditionSql(filter: ColumnFilter, constant: FilterConstant, values: BoundValues): string | undefined {
  if (filter.functions === undefined) return undefined
  const column = quoteIdentifier(filter.column)
  if (filter.part !== 'value') {
    if (filter.functions.length > 0 || (filter.operator !== 'equals' && filter.operator !== 'in')) return undefined
    return `has(${filter.part === 'keys' ? `mapKeys(${column})` : column}, ${values.add(constant)})`
  }
  const operand = filter.functions.reduce((inner, name) => `${name}(${inner})`, column)
  const symbol = SYMBOLS[filter.operator]
  return symbol === undefined
    ? `${filter.operator}(${operand}, ${values.add(constant)}) > 0`
    : `${operand} ${symbol} ${values.add(constant)}`
}

/** Writes a filter as short SQL for people to read. */
export function shownFilter({ column, part, functions, operator, constants }: ColumnFilter): string {
  const plain = part === 'keys' ? `mapKeys(${sqlName(column)})` : sqlName(column)
  const operand =
    functions === undefined ? `[an expression of ${plain}]` : functions.reduce((inner, name) => `${name}(${inner})`, plain)
  const shown = constants.slice(0, SERVER_LIMITS.lookUp.shownConstants).map(shownConstant)
  const list = constants.length > shown.length ? [...shown, '…'] : shown
  if (part !== 'value') return `has(${operand}, ${list.join(', ')})`
  if (operator === 'in') return `${operand} IN (${list.join(', ')})`
  const symbol = SYMBOLS[operator]
  const shownList = list.join(' or ')
  return symbol === undefined ? `${operator}(${operand}, ${shownList})` : `${operand} ${symbol} ${shownList}`
}

function shownConstant(constant: FilterConstant): string {
  switch (constant.kind) {
    case 'text':
      return sqlLiteral(cutCharacters(constant.text, SERVER_LIMITS.lookUp.shownCharacters))
    case 'instant':
      return `${isoTime(constant.milliseconds).replace(/\.000$/, '')} UTC`
    case 'date':
    case 'number':
      return constant.text
  }
}
