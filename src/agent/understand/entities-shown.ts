import type { EntityList } from '../../history/conversation.ts'
import { isNamedKey, singularWords } from '../../warehouse/joins/key-names.ts'
import { AGENT_LIMITS } from '../limits.ts'
import type { QueryReport } from '../run/result.ts'

type Result = Pick<QueryReport, 'columns' | 'rows'>

const TYPE =
  /^(?:LowCardinality\()?(?:Nullable\()?(?:LowCardinality\()?(?:(String|FixedString|Enum|UUID|IPv4|IPv6)|(U?Int)|(Date))?/
const TIME_WORDS: ReadonlySet<string> = new Set(
  'year quarter month week day date weekday hour jahr quartal monat woche tag datum'.split(' '),
)

/**
 * Returns the names and ids in an answer, by column of the results. They must be both in the rows and in the answer's text, so
 * that "those" in the next message means exactly what the person has seen. Yields often, so that `inSlices` can pause the work.
 */
export function* entitiesShown(answer: string, queries: readonly Result[]): Generator<void, EntityList[]> {
  const lists = new Map<string, Set<string>>()
  const lower = answer.toLowerCase()
  function* shown(kind: Kind, at: number, rows: Result['rows']): Generator<void, Set<string>> {
    const said = new Set<string>()
    for (const cell of new Set(rows.map(cells => cells[at]))) {
      const value = textOf(cell)
      if (value !== '' && (kind === 'id' ? containsNumber(answer, value) : containsName(answer, lower, value))) said.add(value)
      yield
    }
    return said
  }
  for (const { columns, rows } of queries) {
    const kinds = columns.map(({ name, type }) => kindOf(name, type))
    const tellsApart = tellingRowsApart({ columns, rows })
    const names: Set<string>[] = []
    for (const [at, kind] of kinds.entries()) {
      const own = kind === 'name' ? yield* shown(kind, at, rows) : new Set<string>()
      names.push(own.size > 0 && tellsApart(at) ? own : new Set())
      yield
    }
    const namedBy = [...names.entries()].filter(([, own]) => own.size > 0)
    // A number in the text may be a figure. So if the results have names, a number is taken for an id only if its row has a name
    // that the answer shows.
    const named = rows.filter(cells => namedBy.some(([at, own]) => own.has(String(cells[at]))))
    yield
    for (const [at, { name }] of columns.entries()) {
      const ids = kinds[at] === 'id' ? yield* shown('id', at, named.length === 0 ? rows : named) : new Set<string>()
      const values = ids.size > 0 && tellsApart(at) ? ids : (names[at] ?? [])
      lists.set(name, new Set([...(lists.get(name) ?? []), ...values]))
    }
  }
  const most = AGENT_LIMITS.understand.entities
  return [...lists]
    .filter(([, values]) => values.size > 0)
    .map(([column, all]) => {
      const values = [...all].slice(0, most)
      return all.size > most ? { column, values, more: all.size - most } : { column, values }
    })
}

const MOST_TIMES = 4

type Kind = 'name' | 'id' | 'other'

function tellingRowsApart({ columns, rows }: Result): (at: number) => boolean {
  // More columns of times than these make no other periods.
  const times = columns.flatMap(({ name, type }, at) => (isTime(name, type) ? [at] : [])).slice(0, MOST_TIMES)
  return at => tellsRowsApart(rows, at, periodsOf(rows, times, at))
}

function kindOf(name: string, type: string): Kind {
  const [, text, integer] = TYPE.exec(type) ?? []
  if (text !== undefined) return 'name'
  return integer !== undefined && (isNamedKey(name) || singularWords(name).join() === 'id') ? 'id' : 'other'
}

function textOf(cell: unknown): string {
  return typeof cell === 'string' || typeof cell === 'number' ? String(cell) : ''
}

/**
 * Whether a column's values are names and not categories. A category, such as a status, occurs in many rows. A name occurs at
 * most once in each period of the result.
 */
function tellsRowsApart(rows: Result['rows'], at: number, periods: readonly string[]): boolean {
  const groups = new Map<string, Set<unknown>>()
  for (const [row, cells] of rows.entries()) {
    const period = periods[row] ?? ''
    groups.set(period, (groups.get(period) ?? new Set()).add(cells[at]))
  }
  // If there is hardly more than one row per period, every value would look like a name. So the periods are ignored then.
  const isGrouped = rows.length >= 2 * groups.size
  const distinct = isGrouped
    ? [...groups.values()].reduce((sum, values) => sum + values.size, 0)
    : new Set(rows.map(cells => cells[at])).size
  return distinct * 2 >= rows.length
}

/**
 * Returns the period of each row: its cells in the time columns, as one text.
 * @param except a time column to ignore
 */
function periodsOf(rows: Result['rows'], times: readonly number[], except: number): readonly string[] {
  return rows.map(cells => JSON.stringify(times.filter(time => time !== except).map(time => cells[time])))
}

function isTime(name: string, type: string): boolean {
  return TYPE.exec(type)?.[3] !== undefined || singularWords(name).some(word => TIME_WORDS.has(word))
}

/**
 * Whether the text contains the name as a whole word. "NYCX" does not contain "NYC". Case matters only for names of one or two
 * letters.
 */
function containsName(text: string, lower: string, value: string): boolean {
  if (containsWord(text, value)) return true
  return value.length >= AGENT_LIMITS.understand.anyCaseCharacters && containsWord(lower, value.toLowerCase())
}

function containsWord(text: string, value: string): boolean {
  for (let at = text.indexOf(value); at >= 0; at = text.indexOf(value, at + 1)) {
    const before = text[at - 1] ?? ' '
    const after = text[at + value.length] ?? ' '
    if (!/[\p{L}\p{N}]/u.test(before) && !/[\p{L}\p{N}]/u.test(after)) return true
  }
  return false
}

/** Whether the text contains the whole number. "1,017" and "17.5" do not contain 17. */
function containsNumber(text: string, value: string): boolean {
  for (let at = text.indexOf(value); at >= 0; at = text.indexOf(value, at + 1)) {
    const [before, after] = [text.slice(Math.max(0, at - 2), at), text.slice(at + value.length, at + value.length + 2)]
    if (!/[\p{L}\p{N}_-]$|\d[.,:]$/u.test(before) && !/^[\p{L}\p{N}_%]|^[.,:]\d|^ %/u.test(after)) return true
  }
  return false
}
