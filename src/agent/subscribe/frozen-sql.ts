import type { Dialect } from '../../llm/dialect.ts'
import { SOURCE_KINDS } from '../../sources/kinds.ts'
import type { SqlToken } from '../../warehouse/sql/sql-tokens.ts'

/** Writes a clock's value at a moment. `args` are the arguments of its call, as they stand. */
type Clock = (seconds: number, args: string) => string

const withArgs = (args: string) => (args === '' ? '' : `, ${args}`)
const moment: Clock = (seconds, args) => `toDateTime(${seconds}${withArgs(args)})`
const day: Clock = seconds => `toDate(toDateTime(${seconds}))`
const exact: Clock = seconds => `to_timestamp(${seconds})`

const time: Clock = seconds => `CAST(${moment(seconds, '')} AS Time)`

/**
 * The clocks of each dialect, as a call and as a bare word. ClickHouse reads `now` and `today` bare too, but these are more often
 * the names of columns.
 */
const CLOCKS: Readonly<Record<Dialect, readonly (readonly [call: RegExp, Clock])[]>> = {
  clickhouse: [
    [/^(?:now|nowInBlock)\(\)$|^(?:current_timestamp|localtimestamp)(?:\(\))?$/i, moment],
    [/^UTC_?timestamp\(\)$/i, seconds => moment(seconds, "'UTC'")],
    [/^now64\(\)$/i, (seconds, args) => `toDateTime64(${seconds}${args === '' ? ', 3' : withArgs(args)})`],
    [/^(?:today|curdate)\(\)$|^current_date(?:\(\))?$/i, day],
    [/^localtime(?:\(\))?$/i, time],
    [/^yesterday\(\)$/i, seconds => `(${day(seconds, '')} - 1)`],
  ],
  postgres: [
    [/^(?:(?:now|(?:transaction|statement|clock)_timestamp)\(\)|current_timestamp(?:\(\))?)$/i, exact],
    // Of two arguments, it takes the time between them.
    [/^age\(\)$/i, (seconds, args) => (isOne(args) ? `age(${exact(seconds, '')}::date, ${args})` : `age(${args})`)],
    [/^current_date$/i, seconds => `${exact(seconds, '')}::date`],
    [/^localtimestamp(?:\(\))?$/i, seconds => `${exact(seconds, '')}::timestamp`],
    [/^current_time(?:\(\))?$/i, seconds => `${exact(seconds, '')}::timetz`],
    [/^localtime(?:\(\))?$/i, seconds => `${exact(seconds, '')}::time`],
  ],
}

/**
 * Puts a due time in the place of every clock of a frozen query. So a late run reads the period that was due, and all queries of
 * a run read the same one.
 * @param sql SQL as the engine has printed it
 * @param due Unix time in milliseconds
 */
export function atDueTime(sql: string, due: number, dialect: Dialect): string {
  const tokens = SOURCE_KINDS[dialect].splitTokens(sql) ?? []
  const isAlias = (at: number) => /^as$/i.test(tokens[at - 1]?.text ?? '')
  // In ClickHouse, an alias of such a name goes before the clock, wherever it stands. In PostgreSQL, it never does.
  const aliases = new Set(
    tokens.filter((_, at) => SOURCE_KINDS[dialect].aliasesHideClocks && isAlias(at)).map(({ text }) => text),
  )
  let written = ''
  let end = 0
  for (const [at, { kind, text, at: from }] of tokens.entries()) {
    const open = tokens[at + 1]
    const close = open?.text === '(' ? closing(tokens, at + 1) : undefined
    const clock = CLOCKS[dialect].find(([call]) => call.test(`${text}${close ? '()' : ''}`))?.[1]
    if (clock === undefined || kind !== 'word' || from < end || tokens[at - 1]?.text === '.') continue
    if (close === undefined && (isAlias(at) || aliases.has(text))) continue
    // A clock may stand among the arguments of another.
    const args = open && close ? atDueTime(sql.slice(open.at + 1, close.at).trim(), due, dialect) : ''
    written += sql.slice(end, from) + clock(Math.floor(due / 1000), args)
    end = close ? close.at + 1 : from + text.length
  }
  return written + sql.slice(end)
}

/**
 * Returns the dates in a query that do not move, although the question names no such year. Such a query cannot be frozen.
 * @returns undefined if the query cannot be read
 */
export function fixedDates(sql: string, question: string, dialect: Dialect): readonly string[] | undefined {
  const tokens = SOURCE_KINDS[dialect].splitTokens(sql)
  if (tokens === undefined) return undefined
  const hasYears = tokens.some(({ kind, text }) => kind === 'word' && /^(?:toYear|year|make_?date)$/i.test(text))
  const dates = tokens.filter(({ kind, value }) =>
    kind === 'string'
      ? /^(?:19|20)\d{2}-\d{2}(?:-\d{2})?/.test(value)
      : kind === 'number' &&
        (/^(?:19|20)\d{2}(?:0[1-9]|1[0-2])(?:[0-3]\d)?$/.test(value) || (hasYears && /^(?:19|20)\d{2}$/.test(value))),
  )
  const unnamed = dates.map(({ value }) => value).filter(value => !question.includes(value.slice(0, 4)))
  return [...new Set(unnamed)]
}

function closing(tokens: readonly SqlToken[], open: number): SqlToken | undefined {
  let depth = 0
  for (const token of tokens.slice(open)) {
    if (token.text === '(') depth += 1
    if (token.text === ')') depth -= 1
    if (depth === 0) return token
  }
  return undefined
}

/** Whether the arguments of a call are a single one. */
function isOne(args: string): boolean {
  let depth = 0
  return !(SOURCE_KINDS.postgres.splitTokens(args) ?? []).some(({ text }) => {
    if (/^[([]$/.test(text)) depth += 1
    if (/^[)\]]$/.test(text)) depth -= 1
    return text === ',' && depth === 0
  })
}
