import type { Schema } from '../../warehouse/schema.ts'
import { type SqlToken, splitTokens } from '../../warehouse/sql/sql-tokens.ts'
import { answerWords } from '../../words/answer.ts'
import type { Language } from '../../words/language.ts'
import type { QueryReport } from '../run/result.ts'

type ZonedQuery = Pick<QueryReport, 'sql' | 'tables' | 'error'>

/**
 * Matches functions that read the day, another calendar unit, or the time of day from a moment. Their result depends on the time
 * zone.
 */
const READS_CALENDAR =
  /^(?:toDate(?:32)?|toMonday|toStartOf(?:Day|Week|ISOYear|Month|Quarter|Year|Interval)|toLastDayOf(?:Week|Month)|toYYYYMM(?:DD)?|to(?:ISO)?(?:Year|Week)|toQuarter|toMonth|toDayOf(?:Week|Month|Year)|toHour|date_?trunc|formatDateTime)$/i
/** Matches units that begin at the same moment in nearly all time zones. */
const SMALL_UNIT = /^(?:toInterval)?(?:hour|minute|second)s?$/i
/** Matches functions that return a calendar day. */
const RETURNS_DAY = /^(?:today|yesterday|curdate|current_date)$/i
const DAY_TEXT = /^\d{4}-\d\d(?:-\d\d(?:[ T]00:00(?::00(?:\.0+)?)?)?)?$/
const ZONE_TEXT = /^(?:UTC|[A-Z][A-Za-z]+\/[A-Za-z_/+-]+)$/

/**
 * Writes the note about the time zone in which the days of an answer begin: "Days are those of Europe/Berlin." Empty if no query
 * depends on a calendar, or if the answer already names the zone.
 */
export function calendarZoneNote(queries: readonly ZonedQuery[], schema: Schema, answer: string, language: Language): string {
  const zones = [...new Set(queries.flatMap(query => calendarZones(query, schema)))].filter(zone => !answer.includes(zone))
  return zones.length === 0 ? '' : answerWords(language).daysOf(zones)
}

/**
 * Returns the time zones in which a query reads days, weeks, months or hours of the day. If the SQL names zones, returns these.
 * Otherwise, they are the zones of the query's columns, or the server's zone. Empty if no zone matters: "the last 24 hours"
 * compares moments, and a column of days is compared with days.
 */
export function calendarZones({ sql, tables, error }: ZonedQuery, schema: Schema): readonly string[] {
  const tokens = error === null && sql !== null ? splitTokens(sql) : undefined
  if (tokens === undefined) return []
  const columns = schema.tables
    .filter(({ database, name }) => tables?.includes(`${database}.${name}`))
    .flatMap(table => table.columns)
  const types = new Map(columns.map(({ name, type }) => [name, type]))
  const isMoment = ({ kind, value }: SqlToken) => kind !== 'string' && types.get(value)?.includes('DateTime') === true
  const isCalendar = tokens.some((token, at) => {
    if (token.kind === 'string' && DAY_TEXT.test(token.value)) {
      // The text is probably compared with the nearest column before it.
      const column = tokens.slice(0, at).findLast(({ value, kind }) => kind !== 'string' && types.has(value))
      return column !== undefined && isMoment(column)
    }
    if (tokens[at + 1]?.text !== '(' || token.kind !== 'word') return false
    if (RETURNS_DAY.test(token.value)) return true
    if (!READS_CALENDAR.test(token.value)) return false
    const given = argumentsAt(tokens, at + 1)
    if (/interval|trunc/i.test(token.value) && given.some(({ value }) => SMALL_UNIT.test(value))) return false
    return given.some((each, index) => isMoment(each) || (/^now(?:64)?$/i.test(each.value) && given[index + 1]?.text === '('))
  })
  if (!isCalendar) return []
  const named = tokens.filter(({ kind, value }) => kind === 'string' && ZONE_TEXT.test(value)).map(({ value }) => value)
  if (named.length > 0) return [...new Set(named)]
  const used = tokens.filter(isMoment).map(({ value }) => /'([^']+)'/.exec(types.get(value) ?? '')?.[1] ?? schema.timeZone)
  return used.length === 0 ? [schema.timeZone] : [...new Set(used)]
}

function argumentsAt(tokens: readonly SqlToken[], opening: number): readonly SqlToken[] {
  let depth = 0
  const end = tokens.findIndex((token, at) => {
    if (at < opening) return false
    depth += token.text === '(' ? 1 : token.text === ')' ? -1 : 0
    return depth === 0
  })
  return tokens.slice(opening + 1, end < 0 ? undefined : end)
}
