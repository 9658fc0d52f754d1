import { DAY_MS } from '../../base/durations.ts'
import { ConfigurationError } from '../../base/errors.ts'
import { localTime } from '../../base/time-zone.ts'
import type { Feedback } from '../../bots/actions/feedback.ts'
import { drawTable } from '../../bots/terminal/draw-table.ts'
import { viewOf } from '../../bots/terminal/style.ts'
import { terminalText } from '../../bots/terminal/text.ts'
import { NO_LIMIT, type Standing } from '../../queue/usage/cap.ts'
import { addUsed, REPORTED, type Reported, readUsage, type UsageRow } from '../../queue/usage/report.ts'
import { dayOf, daysBetween } from '../../queue/usage/windows.ts'
import type { RedisClient } from '../../store/redis/client.ts'
import { createRedisStateStore } from '../../store/redis/state-store.ts'
import { describeBytes } from '../../warehouse/cost/describe-cost.ts'
import { wireCaps } from '../caps.ts'
import { MAIN_LIMITS } from '../limits.ts'
import { defaultSource } from '../observed-source.ts'
import { wireFeedback, wireRedis } from '../store.ts'
import { TERMINAL_PERSON } from '../terminal-person.ts'
import { checkPerson } from './check-person.ts'
import { type CommandContext, EXIT } from './command-context.ts'

export interface UsageOptions {
  readonly json: boolean
  /** The person whose use is shown, as reports name people. Default: the person at the terminal. */
  readonly person?: string
  /** Whether to report the use of everybody. */
  readonly report: boolean
  /** The first and the last day of the report: dates, or how many days ago, as in `7d`. */
  readonly from: string
  readonly to: string
}

/** `clew usage`: shows what a person has used and may use, or reports what everybody has used. */
export async function usageCommand(context: CommandContext, options: UsageOptions): Promise<number> {
  const { config, output, signal, language } = context
  if (config.redis.url === undefined) {
    const why = 'What is used is counted in Redis, and without it there are no caps'
    throw new ConfigurationError(`${why}: set REDIS_URL to the one that the bots and workers use.`)
  }
  const { person = TERMINAL_PERSON, json } = options
  if (options.person !== undefined) checkPerson(options.person)
  const redis = await wireRedis(context, 'worker', signal)
  const caps = wireCaps(context, redis)
  if (options.report) await report(context, redis, options)
  else if (json) output.write(`${JSON.stringify((await caps.standings(person, signal)).map(jsonOf))}\n`)
  else output.write(`${await caps.textFor({ person, isOther: options.person !== undefined }, language, signal)}\n`)
  return EXIT.answered
}

function jsonOf({ of, window, used, limit, endsAt }: Standing) {
  const named = typeof window === 'number' ? `${window / 1_000} s` : window
  return { of, window: named, used, limit: limit === NO_LIMIT ? null : limit, ends_at: new Date(endsAt).toISOString() }
}

async function report(context: CommandContext, redis: RedisClient, { from, to, json }: UsageOptions): Promise<void> {
  const { config, output, signal } = context
  const { timeZone } = config
  const [first, last] = [dayAt(from, timeZone), dayAt(to, timeZone)]
  if (first > last) throw new ConfigurationError(`--from ${from} is after --to ${to}.`)
  const days = daysBetween(first, last)
  const said = await wireFeedback(context, createRedisStateStore(redis)).list(signal)
  const given = said.filter(({ at }) => days.includes(dayOf(at, timeZone)))
  const rows: Partial<Record<Reported, readonly UsageRow[]>> = {}
  for (const kind of REPORTED) {
    const used = await readUsage(redis, kind, days, signal)
    for (const feedback of given)
      for (const name of namesIn(feedback, kind, defaultSource(config))) addUsed(used, name, { [feedback.verdict]: 1 })
    rows[kind] = [...used.values()].sort((a, b) => b.questions - a.questions || b.calls + b.queries - a.calls - a.queries)
  }
  const { width } = viewOf(output)
  const tables = REPORTED.flatMap(kind => (rows[kind]?.length ? [describeRows(kind, rows[kind], width)] : []))
  const text = () => tables.join('\n\n') || 'Nothing was used on these days.'
  output.write(`${json ? JSON.stringify({ from: days[0], to: days.at(-1), ...rows }) : text()}\n`)
}

/**
 * Returns a day as a local time.
 * @throws ConfigurationError
 */
function dayAt(written: string, timeZone: string): number {
  const [, ago] = /^(\d{1,4})d$/.exec(written) ?? []
  const at = ago === undefined ? Date.parse(`${written}T00:00:00Z`) : localTime(Date.now(), timeZone) - Number(ago) * DAY_MS
  if (Number.isNaN(at)) throw new ConfigurationError(`${written} is no day: write 2026-11-27, or 7d for seven days ago.`)
  return at
}

/** Returns the names for which people's feedback counts. Answers of an only source do not name it. */
function namesIn({ of }: Feedback, kind: Reported, onlySource: string): readonly string[] {
  if (kind === 'all') return ['all']
  if (of === undefined) return []
  const source = of.sources.length === 0 ? [onlySource] : of.sources
  return { person: [of.person], channel: [of.channel], role: [], source, model: of.models }[kind]
}

function describeRows(kind: Reported, rows: readonly UsageRow[], width: number): string {
  const header = [kind, 'questions', 'model calls', 'queries', 'tokens', 'cost ($)', 'read', 'helpful', 'not helpful']
  const drawn = rows.slice(0, MAIN_LIMITS.reportedRows).map(row => {
    const counts = [row.questions, row.calls, row.queries, row.tokens]
    // Models without a known price cost nothing here. So a cost of 0 tells nothing.
    const cost = row.cost === 0 ? '–' : row.cost.toFixed(4)
    return [terminalText(row.name), ...counts, cost, describeBytes(row.bytes), row.helpful, row.unhelpful].map(String)
  })
  const most = (what: string, by: (row: UsageRow) => number) => {
    const found = rows.filter(row => by(row) > 0).sort((a, b) => by(b) - by(a))
    const named = found.slice(0, MAIN_LIMITS.namedInReport).map(({ name }) => terminalText(name))
    return rows.length < 2 || named.length === 0 ? [] : [`${what}: ${named.join(', ')}`]
  }
  return [
    drawTable({ header, rows: drawn, numeric: new Set([1, 2, 3, 4, 5, 6, 7, 8]), whole: new Set([0]) }, width),
    ...most('Most expensive', ({ cost }) => cost),
    ...most('Least helpful', ({ helpful, unhelpful }) => unhelpful / (helpful + unhelpful)),
    ...(rows.length > drawn.length ? [`${rows.length - drawn.length} more: --json has all of them.`] : []),
  ].join('\n')
}
