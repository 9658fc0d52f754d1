import type { Cell } from '../../warehouse/warehouse.ts'
import type { CheckedQuery } from '../checked-query.ts'
import { CHECK_LIMITS } from '../limits.ts'
import { AGGREGATES, CONSTANTS } from './arithmetic.ts'
import {
  type Condition,
  finiteNumber,
  nameOf,
  numberOrSeconds,
  positionOf,
  readCondition,
  secondsOf,
  type WrittenCondition,
} from './condition.ts'
import { WorkingFault } from './fault.ts'
import { type RowPick, rowsMeeting, rowsPicked } from './rows.ts'
import { isNumber, isWord, plainText, tokensOf } from './tokens.ts'
import type { Join, NamedRows, Operand, Worked, WorkedPart } from './worked-part.ts'

/** Matches the address of a cell, such as C3: the letters of its column, and the number of its row. */
const ADDRESS = /^([A-Z]{1,2})([1-9]\d{0,5})$/
const QUERY = /^[QE]\d+$/
/** The operators that bind least, and those that bind more, as people read them. */
const OPERATORS = [
  { '+': ' + ', '-': ' − ' },
  { '*': ' × ', '/': ' ÷ ' },
] as const

/** The results that a working may read, the likeliest first, and how they are read. */
export interface Given {
  readonly queries: readonly CheckedQuery[]
  /** Maps row numbers and values of conditions to those that count instead. */
  readonly instead: ReadonlyMap<number | string, number | string>
  /** The number of cells that may still be read. */
  readonly cells: { left: number }
  readonly row: number | undefined
}

type WrittenPick = Exclude<RowPick, Condition> | WrittenCondition

/** A recursive-descent parser that also computes the value. It yields between steps, because a result may have many rows. */
export class WorkingReader {
  readonly #tokens: readonly string[]
  readonly #given: Given
  #next = 0
  #factors = 0
  /** The query that is named before a column inside the current aggregate, as in `sum(Q2.staff)`. */
  #inside: string | undefined
  /** The working as it is read: its parts, with the signs and numbers between them. */
  readonly #terms: (string | WorkedPart)[] = []

  constructor(expression: string, given: Given) {
    this.#tokens = tokensOf(expression)
    this.#given = given
  }

  *read(): Generator<void, Worked> {
    const whole = yield* this.#sum()
    if (this.#peek() !== '') throw new WorkingFault(`"${this.#peek()}" is not understood in the working`)
    const [part] = whole.parts
    if (part === undefined) throw new WorkingFault('the working uses nothing of the rows')
    const isLone = this.#terms.length === 1
    // A single moment is compared as text. Only the difference of two moments is a number.
    const value = isLone && part.isTime ? Number.NaN : whole.value
    if (!Number.isFinite(value) && !(isLone && part.isCell && Number.isNaN(value)))
      throw new WorkingFault('the working comes to no number')
    const shape = {
      isLone,
      isRatio: this.#terms.includes(' ÷ '),
      isMean: whole.parts.some(({ aggregate }) => aggregate === 'avg' || aggregate === 'median'),
      constants: this.#terms.flatMap(term => (typeof term === 'string' && isNumber(term) ? [Number(term)] : [])),
    }
    return { ...whole, value, shape, terms: this.#terms }
  }

  /** Parses a sum, or at the second level a product. */
  *#sum(level: 0 | 1 = 0): Generator<void, Operand> {
    const operators = OPERATORS[level]
    let whole = yield* level === 0 ? this.#sum(1) : this.#factor()
    for (;;) {
      const operator = Object.entries(operators).find(([sign, term]) => this.#takes(sign, term))?.[0]
      if (operator === undefined) return whole
      whole = joined(whole, operator as Join['operator'], yield* level === 0 ? this.#sum(1) : this.#factor())
    }
  }

  *#factor(): Generator<void, Operand> {
    if (++this.#factors > CHECK_LIMITS.working.parts) throw new WorkingFault('the working has too many parts')
    const name = this.#peek(1) === '(' ? /^(?:abs|round)$/i.exec(this.#peek())?.[0].toLowerCase() : undefined
    if (name !== undefined) this.#take()
    if (this.#takes('(', '(')) {
      const inner = yield* this.#sum()
      // The value is not rounded, because the figure's digits decide how exact it must be.
      if (name === 'round' && this.#takes(',')) this.#take()
      this.#expect(')', ')')
      return name === 'abs' ? { ...inner, value: Math.abs(inner.value) } : inner
    }
    const [start, read] = [this.#next, this.#terms.length]
    const value = this.#takes('-', '−') ? -(yield* this.#factor()).value : yield* this.#amount()
    const text = this.#tokens.slice(start, this.#next).map(plainText).join('').toLowerCase()
    return { value, parts: this.#partsFrom(read), text }
  }

  /** Returns the value of a number, a cell or an aggregate. */
  *#amount(): Generator<void, number> {
    const token = this.#take()
    if (isNumber(token)) {
      if (!CONSTANTS.has(Number(token)))
        throw new WorkingFault(`${token} stands in the working without saying from which rows it comes`)
      this.#terms.push(token)
      return Number(token)
    }
    if (!isWord(token)) throw new WorkingFault('the working is not understood')
    const id = QUERY.test(token) && this.#takes('.') ? token : undefined
    const name = plainText(id === undefined ? token : this.#take())
    if (this.#takes('(')) return yield* this.#aggregate(name, id)
    const isColumn = this.#isAt('[') || this.#given.queries.some(({ columns }) => columns.some(column => column.name === name))
    const [, letters, row] = isColumn ? [] : (ADDRESS.exec(name) ?? [])
    if (letters !== undefined) return yield* this.#cell(letters, [{ from: Number(row), to: Number(row) }], id)
    return yield* this.#cell(name, this.#takes('[') ? this.#list(() => this.#pick(), ']') : [], id)
  }

  /** Returns a cell: `rtt_ms[3]`, `rtt_ms['fra-dz01', 'a_to_z']`, C3, or the bare column if its result has one row. */
  *#cell(column: string, written: readonly WrittenPick[], id: string | undefined): Generator<void, number> {
    const query = this.#queryWith([column, ...written.flatMap(pick => ('operator' in pick ? [pick.column] : []))], id)
    const picks = written.map(pick => ('operator' in pick ? readCondition(query, pick) : pick))
    this.#read(query, picks.length)
    if (picks.length === 0 && this.#given.row !== undefined && query === this.#given.queries[0])
      return this.#one(query, column, [this.#given.row])
    const rows = (yield* rowsPicked(query, picks)).map(row => Number(this.#given.instead.get(row) ?? row))
    return this.#one(query, column, rows)
  }

  #pick(): WrittenPick {
    if (/^[=<>!]/.test(this.#peek(1))) return this.#condition()
    const first = this.#take()
    if (isNumber(first)) return { from: Number(first), to: Number(this.#takes('-') ? this.#take() : first) }
    if (!isWord(first)) throw new WorkingFault('the row of a working is not understood')
    return { text: plainText(first) }
  }

  /** Returns the value that all of the rows have in common. */
  #one(query: CheckedQuery, written: string, rows: readonly number[], about: readonly NamedRows[] = []): number {
    const column = nameOf(query, written)
    const cells = cellsOf(query, rows, column)
    const isTime = cells.some(cell => secondsOf(cell) !== undefined)
    this.#terms.push({ query: query.id, source: query, column, rows, isCell: true, isTime, about, conditions: [] })
    const [value = Number.NaN, ...others] = cells.map(cell => numberOrSeconds(cell) ?? Number.NaN)
    if (rows.length === 0 || others.some(other => !Object.is(other, value)))
      throw new WorkingFault(`${column} is of ${rows.length} rows, and must be of exactly one, or the same in each`)
    return value
  }

  *#aggregate(name: string, id: string | undefined): Generator<void, number> {
    this.#inside = undefined
    const known = name.toLowerCase()
    if (known === 'count') this.#takes('*')
    const start = this.#next
    let written = known === 'count' && this.#isAt(')') ? undefined : this.#column()
    // `count(x)` counts the cells of a column, and `count(x > 1)` the rows that meet a condition.
    if (known === 'count' && !this.#isAt(')') && !this.#isAt(',')) {
      this.#next = start
      written = undefined
    } else if (written !== undefined && !this.#isAt(')')) this.#expect(',')
    const told = this.#takes(')') ? [] : this.#list(() => this.#condition(), ')')
    const columns = [...(written === undefined ? [] : [written]), ...told.map(each => each.column)]
    const query = this.#queryWith(columns, id ?? this.#inside)
    const column = written === undefined ? undefined : nameOf(query, written)
    this.#read(query, 1 + told.length)
    const conditions = told.map(condition => readCondition(query, condition))
    const rows = yield* rowsMeeting(query, conditions)
    const about = conditions.flatMap(condition => namedBy(query, condition))
    if (known === 'value' && column !== undefined) return this.#one(query, column, rows, about)
    const isTotal = known === 'count' && column === undefined && conditions.length === 0
    if (query.truncated && !(isTotal && query.total_rows !== undefined))
      throw new WorkingFault(`the result of ${query.id} was cut, so nothing can be said over all of it`)
    const cells = column === undefined ? [] : cellsOf(query, rows, column)
    yield
    const part = { query: query.id, source: query, rows, isCell: false, isTime: false, about, conditions, aggregate: known }
    if (column === undefined || known === 'distinct' || known === 'count') {
      this.#terms.push({ ...part, ...(column !== undefined && { counted: column }) })
      const values = cells.filter(cell => cell !== null).map(String)
      if (column === undefined) return (isTotal && query.total_rows) || rows.length
      return known === 'count' ? values.length : new Set(values).size
    }
    const isEnd = known === 'min' || known === 'max'
    const compute = AGGREGATES.get(known)
    if (compute === undefined) throw new WorkingFault(`${name} is no function of a working`)
    const amounts = cells.map(isEnd ? numberOrSeconds : finiteNumber)
    const values = amounts.filter(value => value !== undefined)
    if (values.length === 0 && known !== 'sum')
      throw new WorkingFault(`no row with a number meets the conditions of ${known}(${column})`)
    const value = compute(values)
    const at = isEnd ? rows.filter((_, index) => amounts[index] === value) : rows
    const isTime = isEnd && cells.some(cell => secondsOf(cell) !== undefined)
    this.#terms.push({ ...part, column, rows: at, isCell: isEnd, isTime })
    return value
  }

  /** @throws WorkingFault if the sentence's workings have read too many cells */
  #read(query: CheckedQuery, columns: number): void {
    this.#given.cells.left -= query.rows.length * columns
    if (this.#given.cells.left <= 0) throw new WorkingFault('the workings of this sentence read too many rows')
  }

  #column(): string {
    const token = this.#take()
    // `sum(Q2.staff)` is accepted for `Q2.sum(staff)`.
    if (QUERY.test(token) && this.#takes('.')) {
      this.#inside = token
      return this.#column()
    }
    if (!isWord(token) || isNumber(token)) throw new WorkingFault('a column is missing in the working')
    return plainText(token)
  }

  /** Parses items between commas, up to a closing sign. */
  #list<Item>(item: () => Item, end: string): Item[] {
    const items = [item()]
    while (this.#takes(',') || this.#takes('and')) items.push(item())
    this.#expect(end)
    return items
  }

  #condition(): WrittenCondition {
    const column = this.#column()
    const operator = this.#take()
    if (!/^(?:=|!=|<>|<=|>=|<|>)$/.test(operator)) throw new WorkingFault(`"${operator}" is no comparison`)
    if (operator === '=') this.#takes('=')
    const sign = this.#takes('-') ? -1 : 1
    const token = this.#take()
    if (!isWord(token)) throw new WorkingFault('a condition of the working has no value')
    const value = isNumber(token) ? sign * Number(token) : /^null$/i.test(token) ? null : plainText(token)
    const isBare = typeof value === 'string' && value === token
    return { column, operator, value: this.#given.instead.get(value ?? '') ?? value, isBare, sign }
  }

  #queryWith(columns: readonly string[], id: string | undefined): CheckedQuery {
    const named = id === undefined ? this.#given.queries : this.#given.queries.filter(query => query.id === id)
    const found = named.find(query => columns.every(column => positionOf(query, column) >= 0))
    if (found !== undefined) return found
    const missing = columns.find(column => named.every(query => positionOf(query, column) < 0))
    throw new WorkingFault(
      missing === undefined
        ? `${id ?? 'no query cited'} has the rows of the working`
        : `${missing} is no column of ${id ?? 'the cited queries'}`,
    )
  }

  #partsFrom(at: number): WorkedPart[] {
    return this.#terms.slice(at).filter(term => typeof term !== 'string')
  }

  /** Returns a token without taking it. Empty behind the end. */
  #peek(ahead = 0): string {
    return this.#tokens[this.#next + ahead] ?? ''
  }

  #take(): string {
    return this.#tokens[this.#next++] ?? ''
  }

  #isAt(text: string): boolean {
    return this.#peek().toLowerCase() === text
  }

  /** @param term the sign as people read it, if it belongs to the terms */
  #takes(text: string, term?: string): boolean {
    if (!this.#isAt(text)) return false
    this.#next += 1
    if (term !== undefined) this.#terms.push(term)
    return true
  }

  #expect(text: string, term?: string): void {
    if (!this.#takes(text, term)) throw new WorkingFault(`"${text}" is missing in the working`)
  }
}

function joined(one: Operand, operator: Join['operator'], other: Operand): Operand {
  const [a, b] = [one.value, other.value]
  const value = operator === '+' ? a + b : operator === '-' ? a - b : operator === '*' ? a * b : a / b
  return {
    value,
    parts: [...one.parts, ...other.parts],
    text: `(${one.text}${operator}${other.text})`,
    join: { operator, one, other },
  }
}

function cellsOf(query: CheckedQuery, rows: readonly number[], column: string): Cell[] {
  const at = positionOf(query, column)
  return rows.map(row => query.rows[row]?.[at] ?? null)
}

function namedBy(query: CheckedQuery, { column, operator, value }: Condition): NamedRows[] {
  if (operator !== '=' || typeof value !== 'string') return []
  const at = positionOf(query, column)
  const cells = new Set(query.rows.map(row => row[at] ?? null))
  if (!cells.has(value)) return []
  const others = [...cells].filter(cell => typeof cell === 'string' && cell !== value && cell.length > 1)
  return [{ name: value, others: others as string[] }]
}
