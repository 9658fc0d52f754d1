import type { Cell } from '../../warehouse/warehouse.ts'
import type { Budget } from '../budget.ts'
import type { CheckedQuery } from '../checked-query.ts'
import { CHECK_LIMITS } from '../limits.ts'
import { AGGREGATES, CONSTANTS } from './arithmetic.ts'
import { type Condition, finiteNumber, numberOrSeconds, positionOf, secondsOf } from './condition.ts'
import { WorkingFault } from './fault.ts'
import { type RowPick, rowsAt, rowsMeeting, rowsPicked } from './rows.ts'
import { type Token, tokensOf } from './tokens.ts'
import type { NamedRows, Operand, WorkedPart, WorkingShape } from './worked-part.ts'

/** Matches the address of a cell, such as C3: the letters of its column, and the number of its row. */
const ADDRESS = /^([A-Z]{1,2})([1-9]\d{0,5})$/

/** A recursive-descent parser that also computes the value. It yields between steps, because a result may have many rows. */
export class WorkingReader {
  readonly #tokens: readonly Token[]
  readonly #queries: readonly CheckedQuery[]
  #next = 0
  #factors = 0
  /** The query that is named before a column inside the current aggregate, as in `sum(Q2.staff)`. */
  #inside: string | undefined
  readonly parts: WorkedPart[] = []
  readonly #constants: number[] = []
  #isRatio = false
  #isMean = false
  /** The working as it is read: its parts, with the signs and numbers between them. */
  readonly terms: (string | WorkedPart)[] = []

  readonly #instead: ReadonlyMap<number | string, number | string>
  readonly #cells: Budget

  readonly #row: number | undefined

  /**
   * @param cells the number of cells that may still be read
   * @param row the row of a column that names none, as in a table
   */
  constructor(
    expression: string,
    queries: readonly CheckedQuery[],
    instead: ReadonlyMap<number | string, number | string>,
    cells: Budget,
    row?: number,
  ) {
    this.#tokens = tokensOf(expression)
    this.#queries = queries
    this.#instead = instead
    this.#cells = cells
    this.#row = row
  }

  get shape(): WorkingShape {
    return { isLone: this.#factors === 1, isRatio: this.#isRatio, isMean: this.#isMean, constants: this.#constants }
  }

  *read(): Generator<void, Operand> {
    const whole = yield* this.#sum()
    if (this.#peek() !== undefined) throw new WorkingFault(`"${this.#peek()?.text}" is not understood in the working`)
    const [part] = this.parts
    if (part === undefined) throw new WorkingFault('the working uses nothing of the rows')
    // A single moment is compared as text. Only the difference of two moments is a number.
    return this.#factors === 1 && part.isTime ? { ...whole, value: Number.NaN } : whole
  }

  *#sum(): Generator<void, Operand> {
    let sum = yield* this.#product()
    for (;;) {
      if (this.#takes('+', ' + ')) sum = joined(sum, '+', yield* this.#product())
      else if (this.#takes('-', ' − ')) sum = joined(sum, '-', yield* this.#product())
      else return sum
    }
  }

  *#product(): Generator<void, Operand> {
    let product = yield* this.#factor()
    for (;;) {
      if (this.#takes('*', ' × ')) product = joined(product, '*', yield* this.#factor())
      else if (this.#takes('/', ' ÷ ')) {
        this.#isRatio = true
        product = joined(product, '/', yield* this.#factor())
      } else return product
    }
  }

  *#factor(): Generator<void, Operand> {
    if (++this.#factors > CHECK_LIMITS.working.parts) throw new WorkingFault('the working has too many parts')
    if (this.#takes('(', '(')) {
      const inner = yield* this.#sum()
      this.#expect(')', ')')
      return inner
    }
    const name = /^(?:abs|round)$/i.exec(this.#peek()?.text ?? '')?.[0]
    if (name !== undefined && this.#tokens[this.#next + 1]?.text === '(') return yield* this.#rounded(name.toLowerCase())
    const [start, read] = [this.#next, this.parts.length]
    const value = this.#takes('-', '−') ? -(yield* this.#factor()).value : yield* this.#amount()
    const text = this.#tokens.slice(start, this.#next).map(token => token.text)
    return { value, parts: this.parts.slice(read), text: text.join('').toLowerCase() }
  }

  /** Returns the value of a number, a cell or an aggregate. */
  *#amount(): Generator<void, number> {
    const token = this.#take()
    if (token?.kind === 'number') {
      const value = Number(token.text)
      this.#constants.push(value)
      if (!CONSTANTS.has(value))
        throw new WorkingFault(`${token.text} stands in the working without saying from which rows it comes`)
      this.terms.push(token.text)
      return value
    }
    if (token === undefined || token.kind === 'symbol') throw new WorkingFault('the working is not understood')
    const id = /^[QE]\d+$/.test(token.text) && this.#takes('.') ? token.text : undefined
    const name = id === undefined ? token.text : (this.#take()?.text ?? '')
    if (this.#isAt('(')) return yield* this.#aggregate(name, id)
    const [, letters, row] = token.kind === 'name' && !this.#isAt('[') ? (ADDRESS.exec(name) ?? []) : []
    if (letters === undefined || this.#queries.some(({ columns }) => columns.some(column => column.name === name)))
      return yield* this.#cell(name, id)
    return this.#cellAt(letters, Number(row), id)
  }

  /** Returns the value of an address such as C3. */
  #cellAt(letters: string, row: number, id: string | undefined): number {
    const query = this.#queryWith([letters], id)
    this.#read(query, 1)
    return this.#one(
      query,
      letters,
      rowsAt(query, { from: row, to: row }).map(at => Number(this.#instead.get(at) ?? at)),
    )
  }

  /** Parses `abs(x)`, `round(x)` and `round(x, 1)`. The value is not rounded, because the figure's digits decide how exact it must be. */
  *#rounded(name: string): Generator<void, Operand> {
    this.#next += 1
    this.#expect('(', '(')
    const inner = yield* this.#sum()
    if (name === 'round' && this.#takes(',')) this.#take()
    this.#expect(')', ')')
    return name === 'abs' ? { ...inner, value: Math.abs(inner.value) } : inner
  }

  /** Parses a cell: `rtt_ms[3]`, `rtt_ms['fra-dz01', 'a_to_z']`, or the bare column if its result has one row. */
  *#cell(column: string, id: string | undefined): Generator<void, number> {
    const picks: RowPick[] = []
    if (this.#takes('[')) {
      do picks.push(this.#pick())
      while (this.#takes(',') || this.#takes('and'))
      this.#expect(']')
    }
    const query = this.#queryWith([column, ...picks.flatMap(pick => ('operator' in pick ? [pick.column] : []))], id)
    this.#read(query, picks.length)
    if (picks.length === 0 && this.#row !== undefined && query === this.#queries[0]) return this.#one(query, column, [this.#row])
    const rows = (yield* rowsPicked(query, picks)).map(row => Number(this.#instead.get(row) ?? row))
    return this.#one(query, column, rows)
  }

  #pick(): RowPick {
    const [first, second] = [this.#peek(), this.#tokens[this.#next + 1]]
    if (first?.kind === 'number') {
      this.#next += 1
      const to = this.#takes('-') ? this.#take() : first
      return { from: Number(first.text), to: Number(to?.text) }
    }
    if (second?.kind === 'symbol' && /^[=<>!]/.test(second.text)) return this.#condition()
    if (first === undefined || first.kind === 'symbol') throw new WorkingFault('the row of a working is not understood')
    this.#next += 1
    return { text: first.text }
  }

  /** Returns the value that all of the rows have in common. */
  #one(query: CheckedQuery, written: string, rows: readonly number[], about: readonly NamedRows[] = []): number {
    const column = nameOf(query, written)
    const cells = cellsOf(query, rows, column)
    const isTime = cells.some(cell => secondsOf(cell) !== undefined)
    this.#add({ query: query.id, column, rows, isCell: true, isTime, about, conditions: [] })
    const [value = Number.NaN, ...others] = cells.map(cell => numberOrSeconds(cell) ?? Number.NaN)
    if (rows.length === 0 || others.some(other => !Object.is(other, value)))
      throw new WorkingFault(`${column} is of ${rows.length} rows, and must be of exactly one, or the same in each`)
    return value
  }

  *#aggregate(name: string, id: string | undefined): Generator<void, number> {
    this.#expect('(')
    this.#inside = undefined
    const known = name.toLowerCase()
    if (known === 'avg' || known === 'median') this.#isMean = true
    if (known === 'count') this.#takes('*')
    const written = known === 'count' && !this.#isCounted() ? undefined : this.#column()
    if (written !== undefined && !this.#isAt(')')) this.#expect(',')
    const conditions = this.#conditions()
    this.#expect(')')
    const query = this.#queryWith(
      [...(written === undefined ? [] : [written]), ...conditions.map(each => each.column)],
      id ?? this.#inside,
    )
    const column = written === undefined ? undefined : nameOf(query, written)
    this.#read(query, 1 + conditions.length)
    const rows = yield* rowsMeeting(query, conditions)
    const about = conditions.flatMap(condition => namedBy(query, condition))
    if (known === 'value' && column !== undefined) return this.#one(query, column, rows, about)
    const isTotal = known === 'count' && column === undefined && conditions.length === 0
    if (query.truncated && !(isTotal && query.total_rows !== undefined))
      throw new WorkingFault(`the result of ${query.id} was cut, so nothing can be said over all of it`)
    const cells = column === undefined ? [] : cellsOf(query, rows, column)
    yield
    if (column === undefined || known === 'distinct' || known === 'count') {
      const counted = column === undefined ? {} : { counted: column }
      this.#add({ query: query.id, rows, isCell: false, isTime: false, about, conditions, aggregate: known, ...counted })
      const values = cells.filter(cell => cell !== null)
      return column === undefined
        ? (isTotal && query.total_rows) || rows.length
        : known === 'count'
          ? values.length
          : new Set(values.map(String)).size
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
    this.#add({ query: query.id, column, rows: at, isCell: isEnd, isTime, about, conditions, aggregate: known })
    return value
  }

  #add(part: WorkedPart): void {
    this.parts.push(part)
    this.terms.push(part)
  }

  /** @throws WorkingFault if the sentence's workings have read too many cells */
  #read(query: CheckedQuery, columns: number): void {
    this.#cells.take(query.rows.length * columns)
    if (this.#cells.isSpent) throw new WorkingFault('the workings of this sentence read too many rows')
  }

  #column(): string {
    const token = this.#take()
    // `sum(Q2.staff)` is accepted for `Q2.sum(staff)`.
    if (token?.kind === 'name' && /^[QE]\d+$/.test(token.text) && this.#takes('.')) {
      this.#inside = token.text
      return this.#column()
    }
    if (token?.kind !== 'name' && token?.kind !== 'text') throw new WorkingFault('a column is missing in the working')
    return token.text
  }

  /** Whether a column follows `count(`, and not a condition. */
  #isCounted(): boolean {
    const behind = /^[QE]\d+$/.test(this.#peek()?.text ?? '') && this.#tokens[this.#next + 1]?.text === '.' ? 3 : 1
    return /^[,)]$/.test(this.#tokens[this.#next + behind]?.text ?? '') && this.#peek()?.kind === 'name'
  }

  #conditions(): Condition[] {
    const conditions: Condition[] = []
    while (!this.#isAt(')')) {
      if (conditions.length > 0 && !this.#takes(',') && !this.#takes('and'))
        throw new WorkingFault('the conditions of the working are not understood')
      conditions.push(this.#condition())
    }
    return conditions
  }

  #condition(): Condition {
    const column = this.#column()
    const operator = this.#take()?.text ?? ''
    if (operator === '=') this.#takes('=')
    if (!/^(?:=|!=|<>|<=|>=|<|>)$/.test(operator)) throw new WorkingFault(`"${operator}" is no comparison`)
    const value = this.#value()
    return { column, operator, ...value, value: this.#instead.get(value.value ?? '') ?? value.value }
  }

  #value(): Pick<Condition, 'value' | 'mayBeColumn' | 'sign'> {
    const sign = this.#takes('-') ? -1 : 1
    const token = this.#take()
    if (token?.kind === 'number') return { value: sign * Number(token.text), mayBeColumn: false, sign }
    if (token?.kind === 'name' && token.text.toLowerCase() === 'null') return { value: null, mayBeColumn: false, sign }
    if (token?.kind === 'text' || token?.kind === 'name') return { value: token.text, mayBeColumn: token.kind === 'name', sign }
    throw new WorkingFault('a condition of the working has no value')
  }

  #queryWith(columns: readonly string[], id: string | undefined): CheckedQuery {
    const named = id === undefined ? this.#queries : this.#queries.filter(query => query.id === id)
    const found = named.find(query => columns.every(column => positionOf(query, column) >= 0))
    if (found !== undefined) return found
    const missing = columns.find(column => named.every(query => positionOf(query, column) < 0))
    throw new WorkingFault(
      missing === undefined
        ? `${id ?? 'no query cited'} has the rows of the working`
        : `${missing} is no column of ${id ?? 'the cited queries'}`,
    )
  }

  #peek(): Token | undefined {
    return this.#tokens[this.#next]
  }

  #take(): Token | undefined {
    return this.#tokens[this.#next++]
  }

  #isAt(text: string): boolean {
    const token = this.#peek()
    return token !== undefined && token.kind !== 'text' && token.text.toLowerCase() === text
  }

  /** @param term the sign as people read it, if it belongs to the terms */
  #takes(text: string, term?: string): boolean {
    if (!this.#isAt(text)) return false
    this.#next += 1
    if (term !== undefined) this.terms.push(term)
    return true
  }

  #expect(text: string, term?: string): void {
    if (!this.#takes(text, term)) throw new WorkingFault(`"${text}" is missing in the working`)
  }
}

function joined(one: Operand, operator: '+' | '-' | '*' | '/', other: Operand): Operand {
  const [a, b] = [one.value, other.value]
  const value = operator === '+' ? a + b : operator === '-' ? a - b : operator === '*' ? a * b : a / b
  return {
    value,
    parts: [...one.parts, ...other.parts],
    text: `(${one.text}${operator}${other.text})`,
    join: { operator, one, other },
  }
}

function nameOf(query: CheckedQuery, column: string): string {
  return query.columns[positionOf(query, column)]?.name ?? column
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
