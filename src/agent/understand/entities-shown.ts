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
 * Returns the names and ids in an answer, by column of the results. They come from the rows and the answer's text, so "those" in the next message
 * means exactly what the person saw.
 */
export function entitiesShown(answer: string, queries: readonly Result[]): EntityList[] {
  const lists = new Map<string, Set<string>>()
  const lower = answer.toLowerCase()
  for (const { columns, rows } of queries) {
    const kinds = columns.map(({ name, type }, at) => (tellsRowsApart({ columns, rows }, at) ? kindOf(name, type) : 'other'))
    const shown = (at: number, among: Result['rows']) => {
      const values = new Set(among.flatMap(cells => textOf(cells[at])))
      const isSaid =
        kinds[at] === 'id'
          ? (value: string) => containsNumber(answer, value)
          : (value: string) => containsName(answer, lower, value)
      return [...values].filter(isSaid)
    }
    const names = kinds.map((kind, at) => new Set(kind === 'name' ? shown(at, rows) : []))
    // A number in the text may be a figure. If the results have names, only numbers in the row of a shown name count as ids.
    const named = rows.filter(cells => cells.some((cell, at) => names[at]?.has(String(cell))))
    columns.forEach(({ name }, at) => {
      const values = kinds[at] === 'id' ? shown(at, named.length === 0 ? rows : named) : (names[at] ?? [])
      lists.set(name, new Set([...(lists.get(name) ?? []), ...values]))
    })
  }
  const most = AGENT_LIMITS.understand.entities
  return [...lists]
    .filter(([, values]) => values.size > 0)
    .map(([column, all]) => {
      const values = [...all].slice(0, most)
      return all.size > most ? { column, values, more: all.size - most } : { column, values }
    })
}

function kindOf(name: string, type: string): 'name' | 'id' | 'other' {
  const [, text, integer] = TYPE.exec(type) ?? []
  if (text !== undefined) return 'name'
  return integer !== undefined && (isNamedKey(name) || singularWords(name).join() === 'id') ? 'id' : 'other'
}

function textOf(cell: unknown): readonly string[] {
  return (typeof cell === 'string' && cell !== '') || typeof cell === 'number' ? [String(cell)] : []
}

/**
 * Whether a column's values are names, not categories. A category, such as a status, occurs in many rows. A name occurs at most once in each period
 * of the result.
 */
function tellsRowsApart({ columns, rows }: Result, at: number): boolean {
  const times = columns.flatMap(({ name, type }, other) => (other !== at && isTime(name, type) ? [other] : []))
  const groups = new Map<string, Set<unknown>>()
  for (const cells of rows) {
    const key = JSON.stringify(times.map(time => cells[time]))
    groups.set(key, (groups.get(key) ?? new Set()).add(cells[at]))
  }
  // With hardly more than one row per period, every value would look like a name.
  const isGrouped = rows.length >= 2 * groups.size
  const distinct = isGrouped
    ? [...groups.values()].reduce((sum, values) => sum + values.size, 0)
    : new Set(rows.map(cells => cells[at])).size
  return distinct * 2 >= rows.length
}

function isTime(name: string, type: string): boolean {
  return TYPE.exec(type)?.[3] !== undefined || singularWords(name).some(word => TIME_WORDS.has(word))
}

/**
 * Whether the text contains the name as a whole word. "NYCX" does not contain "NYC". Capitals matter only in names of one or two letters.
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
