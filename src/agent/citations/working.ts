import type { QueryReport } from '../run-result.ts'
import { type Condition, cellOf, meets, numberOf, positionOf, wantedOf } from './working-condition.ts'
import { WorkingFault } from './working-fault.ts'

/** How a figure follows from the rows, as its writer shows it behind the figure: `{= sum(devices, region = 'Europe')}`. */
export interface Working {
  /** Where it stood, in the text without workings. */
  readonly at: number
  readonly expression: string
}

/** What a working comes to, and which names it is about; or why it cannot be worked out. */
export type WorkedOut = { readonly value: number; readonly about: readonly NamedRows[] } | { readonly fault: string }

/** A name that a working picks rows by: `city = 'Oslo'`. */
export interface NamedRows {
  readonly name: string
  /** The other names of its column. */
  readonly others: readonly string[]
}

const WORKING = /\s?\{=([^{}\n]*)\}/g
const MOST_CHARACTERS = 300
const MOST_PARTS = 16

/** Numbers that a working may hold: those of units, percentages and means. All others come from the rows. */
const CONSTANTS: ReadonlySet<number> = new Set([
  1, 2, 7, 8, 12, 24, 30, 52, 60, 100, 365, 1000, 1024, 3600, 86_400, 1_048_576, 1e6, 1e9, 1e12,
])

/** Takes the workings out of a text. */
export function takeWorkings(written: string): { readonly text: string; readonly workings: readonly Working[] } {
  const workings: Working[] = []
  let removed = 0
  const text = written.replace(WORKING, (whole, expression: string, at: number) => {
    workings.push({ at: at - removed, expression: expression.trim() })
    removed += whole.length
    return ''
  })
  return { text, workings }
}

/**
 * Works a working out over whole results. It is arithmetic (`+ - * /` and parentheses) over `count`, `sum`, `avg`, `min`, `max` and `value` (of exactly one row),
 * each over the rows of one query that meet its conditions.
 * @param queries those it may be about, the likeliest first; `Q2.sum(x)` names one
 */
export function workOut(expression: string, queries: readonly QueryReport[]): WorkedOut {
  if (expression.length > MOST_CHARACTERS) return { fault: 'the working is too long' }
  try {
    const reader = new WorkingReader(expression, queries)
    const value = reader.read()
    return Number.isFinite(value) ? { value, about: reader.about } : { fault: 'the working comes to no number' }
  } catch (error) {
    if (error instanceof WorkingFault) return { fault: error.reason }
    throw error
  }
}

interface Token {
  readonly kind: 'number' | 'name' | 'text' | 'symbol'
  readonly text: string
}

const TOKEN =
  /\s*(?:(\d+(?:\.\d+)?(?:e\d+)?)|'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|`([^`]*)`|([\p{L}_][\p{L}\p{N}_]*)|(<=|>=|!=|<>|[-+*/()=<>,.]))/uy

const AGGREGATES: ReadonlyMap<string, (values: readonly number[]) => number> = new Map([
  ['sum', total],
  ['avg', (values: readonly number[]) => total(values) / values.length],
  ['min', (values: readonly number[]) => values.reduce((least, value) => Math.min(least, value), Number.POSITIVE_INFINITY)],
  ['max', (values: readonly number[]) => values.reduce((most, value) => Math.max(most, value), Number.NEGATIVE_INFINITY)],
])

/** Reads and computes in one go, by recursive descent. */
class WorkingReader {
  readonly #tokens: readonly Token[]
  readonly #queries: readonly QueryReport[]
  #next = 0
  #parts = 0
  #usesRows = false
  readonly about: NamedRows[] = []

  constructor(expression: string, queries: readonly QueryReport[]) {
    this.#tokens = tokensOf(expression)
    this.#queries = queries
  }

  read(): number {
    const value = this.#sum()
    if (this.#peek() !== undefined) throw new WorkingFault(`"${this.#peek()?.text}" is not understood in the working`)
    if (!this.#usesRows) throw new WorkingFault('the working uses nothing of the rows')
    return value
  }

  #sum(): number {
    let value = this.#product()
    for (;;) {
      if (this.#takes('+')) value += this.#product()
      else if (this.#takes('-')) value -= this.#product()
      else return value
    }
  }

  #product(): number {
    let value = this.#factor()
    for (;;) {
      if (this.#takes('*')) value *= this.#factor()
      else if (this.#takes('/')) value /= this.#factor()
      else return value
    }
  }

  #factor(): number {
    if (++this.#parts > MOST_PARTS) throw new WorkingFault('the working has too many parts')
    if (this.#takes('-')) return -this.#factor()
    if (this.#takes('(')) {
      const value = this.#sum()
      this.#expect(')')
      return value
    }
    const token = this.#take()
    if (token?.kind === 'number') {
      const value = Number(token.text)
      if (!CONSTANTS.has(value))
        throw new WorkingFault(`${token.text} stands in the working without saying from which rows it comes`)
      return value
    }
    if (token?.kind !== 'name') throw new WorkingFault('the working is not understood')
    const query = /^Q\d+$/.test(token.text) && this.#takes('.') ? token.text : undefined
    return this.#aggregate(query === undefined ? token.text : (this.#take()?.text ?? ''), query)
  }

  #aggregate(name: string, queryId: string | undefined): number {
    this.#expect('(')
    const known = name.toLowerCase()
    const column = known === 'count' ? undefined : this.#column()
    if (column !== undefined && !this.#isAt(')')) this.#expect(',')
    const conditions = this.#conditions()
    this.#expect(')')
    const query = this.#queryWith([...(column === undefined ? [] : [column]), ...conditions.map(each => each.column)], queryId)
    const rows = query.rows.filter(row =>
      conditions.every(condition => meets(cellOf(query, row, condition.column), condition, wantedOf(query, row, condition))),
    )
    this.#usesRows = true
    for (const condition of conditions) this.#note(query, condition)
    if (query.truncated && known !== 'value')
      throw new WorkingFault(`the result of ${query.id} was cut, so nothing can be said over all of it`)
    if (column === undefined) return rows.length
    const values = rows.map(row => numberOf(cellOf(query, row, column))).filter(value => value !== undefined)
    if (known === 'value') {
      const [value] = values
      if (rows.length !== 1 || value === undefined)
        throw new WorkingFault(`value(${column}) is of ${rows.length} rows, and must be a number of exactly one`)
      return value
    }
    const compute = AGGREGATES.get(known)
    if (compute === undefined) throw new WorkingFault(`${name} is no function of a working`)
    if (values.length === 0 && known !== 'sum')
      throw new WorkingFault(`no row with a number meets the conditions of ${known}(${column})`)
    return compute(values)
  }

  #note(query: QueryReport, { column, operator, value }: Condition): void {
    if (operator !== '=' || typeof value !== 'string') return
    const cells = new Set(query.rows.map(row => cellOf(query, row, column)))
    if (!cells.has(value)) return
    const others = [...cells].filter(cell => typeof cell === 'string' && cell !== value && cell.length > 1)
    this.about.push({ name: value, others: others as string[] })
  }

  #column(): string {
    const token = this.#take()
    if (token?.kind !== 'name' && token?.kind !== 'text') throw new WorkingFault('a column is missing in the working')
    return token.text
  }

  #conditions(): Condition[] {
    const conditions: Condition[] = []
    while (!this.#isAt(')')) {
      if (conditions.length > 0 && !this.#takes(',') && !this.#takes('and'))
        throw new WorkingFault('the conditions of the working are not understood')
      const column = this.#column()
      const operator = this.#take()?.text ?? ''
      if (!/^(?:=|!=|<>|<=|>=|<|>)$/.test(operator)) throw new WorkingFault(`"${operator}" is no comparison`)
      conditions.push({ column, operator, ...this.#value() })
    }
    return conditions
  }

  #value(): Pick<Condition, 'value' | 'mayBeColumn' | 'sign'> {
    const sign = this.#takes('-') ? -1 : 1
    const token = this.#take()
    if (token?.kind === 'number') return { value: sign * Number(token.text), mayBeColumn: false, sign }
    if (token?.kind === 'name' && token.text.toLowerCase() === 'null') return { value: null, mayBeColumn: false, sign }
    if (token?.kind === 'text' || token?.kind === 'name') return { value: token.text, mayBeColumn: token.kind === 'name', sign }
    throw new WorkingFault('a condition of the working has no value')
  }

  #queryWith(columns: readonly string[], id: string | undefined): QueryReport {
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

  #takes(text: string): boolean {
    if (!this.#isAt(text)) return false
    this.#next += 1
    return true
  }

  #expect(text: string): void {
    if (!this.#takes(text)) throw new WorkingFault(`"${text}" is missing in the working`)
  }
}

function tokensOf(expression: string): Token[] {
  const tokens: Token[] = []
  const text = expression.trim()
  TOKEN.lastIndex = 0
  for (let at = 0; at < text.length; at = TOKEN.lastIndex) {
    TOKEN.lastIndex = at
    const match = TOKEN.exec(text)
    if (match === null) throw new WorkingFault('the working is not understood')
    const [, number, single, double, ticked, name, symbol] = match
    const quoted = single ?? double
    if (number !== undefined) tokens.push({ kind: 'number', text: number })
    else if (quoted !== undefined) tokens.push({ kind: 'text', text: quoted.replace(/\\(.)/gs, '$1') })
    else if (name !== undefined) tokens.push({ kind: 'name', text: name })
    else tokens.push(ticked === undefined ? { kind: 'symbol', text: symbol ?? '' } : { kind: 'text', text: ticked })
  }
  return tokens
}

function total(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0)
}
