import { DAY_MS } from '../../base/durations.ts'
import { ConfigurationError } from '../../base/errors.ts'
import { localTime } from '../../base/time-zone.ts'
import type { Feedback } from '../../bots/actions/feedback.ts'
import { drawTable } from '../../bots/terminal/draw-table.ts'
import { viewOf } from '../../bots/terminal/style.ts'
import { terminalText } from '../../bots/terminal/text.ts'
import { NO_LIMIT } from '../../queue/usage/cap.ts'
import { REPORTED, type Reported, readUsage, type UsageTable } from '../../queue/usage/report.ts'
import { dayOf, daysBetween } from '../../queue/usage/windows.ts'
import type { RedisClient } from '../../store/redis/client.ts'
import { createRedisStateStore } from '../../store/redis/state-store.ts'
import { describeBytes } from '../../warehouse/cost/describe-cost.ts'
import { TERMINAL_PERSON, wireCaps } from '../caps.ts'
import { MAIN_LIMITS } from '../limits.ts'
import { defaultSource } from '../observed-source.ts'
import { wireFeedback, wireRedis } from '../store.ts'
import { type CommandContext, EXIT } from './command-context.ts'

export interface UsageOptions {
  readonly json: boolean
  /** The person whose use is shown, as reports name people. Default: the person at the terminal. */
  readonly person?: string
  /** Whether to report the use of everybody. */
  readonly report: boolean
  /** The first day of the report: a date, or how many days ago. */
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
  const redis = await wireRedis(context, 'worker', signal)
  const { person = TERMINAL_PERSON, json } = options
  if (options.report) await report(context, redis, options)
  else {
    const caps = wireCaps(context, redis)
    const shown = json ? await ownJson(caps.standings(person, signal)) : await caps.textFor(person, language, signal)
    output.write(`${shown}\n`)
  }
  return EXIT.answered
}

async function ownJson(standings: ReturnType<ReturnType<typeof wireCaps>['standings']>): Promise<string> {
  const shown = (await standings).map(({ of, window, used, limit, endsAt }) => ({
    of,
    window: typeof window === 'number' ? `${window / 1_000} s` : window,
    used,
    limit: limit === NO_LIMIT ? null : limit,
    ends_at: new Date(endsAt).toISOString(),
  }))
  return JSON.stringify(shown)
}

async function report(context: CommandContext, redis: RedisClient, { from, to, json }: UsageOptions): Promise<void> {
  const { config, output, signal } = context
  const today = localTime(Date.now(), config.timeZone)
  const days = daysBetween(dayAt(from, today), dayAt(to, today))
  const said = await wireFeedback(context, createRedisStateStore(redis)).list(signal)
  const given = said.filter(({ at }) => days.includes(dayOf(at, config.timeZone)))
  const tables = new Map<Reported, UsageTable>()
  for (const kind of REPORTED) {
    const table = await readUsage(redis, kind, days, signal)
    tables.set(kind, table)
    for (const feedback of given)
      for (const name of namesIn(feedback, kind, defaultSource(config))) table.add(name, { [feedback.verdict]: 1 })
  }
  const rows = [...tables].map(([kind, table]) => [kind, table.rows()] as const)
  const { width } = viewOf(output)
  const text = () => rows.map(([kind, of]) => describeRows(kind, of, width)).join('\n\n')
  output.write(`${json ? JSON.stringify({ from: days[0], to: days.at(-1), ...Object.fromEntries(rows) }) : text()}\n`)
}

/**
 * Returns a day as a local time.
 * @throws ConfigurationError
 */
function dayAt(written: string, today: number): number {
  const [, ago] = /^(\d{1,4})d$/.exec(written) ?? []
  const at = ago === undefined ? Date.parse(`${written}T00:00:00Z`) : today - Number(ago) * DAY_MS
  if (Number.isNaN(at)) throw new ConfigurationError(`${written} is no day: write 2026-11-27, or 7d for seven days ago.`)
  return at
}

/** Returns the names for which people's feedback counts. Answers of an only source do not name it. */
function namesIn({ of }: Feedback, kind: Reported, onlySource: string): readonly string[] {
  if (kind === 'all') return ['all']
  if (of === undefined) return []
  const source = of.sources.length === 0 ? [onlySource] : of.sources
  return { person: [of.person], channel: [of.channel], source, model: of.models }[kind]
}

type Rows = ReturnType<UsageTable['rows']>

function describeRows(kind: Reported, rows: Rows, width: number): string {
  const { reportedRows, namedInReport } = MAIN_LIMITS
  const header = [kind, 'questions', 'model calls', 'queries', 'tokens', 'cost ($)', 'read', 'helpful', 'not helpful']
  const drawn = rows.slice(0, reportedRows).map(({ name, cost, bytes, ...row }) => {
    const counts = [row.questions, row.calls, row.queries, row.tokens].map(String)
    return [terminalText(name), ...counts, cost.toFixed(2), describeBytes(bytes), `${row.helpful}`, `${row.unhelpful}`]
  })
  const numeric = new Set(header.keys())
  numeric.delete(0)
  const top = (by: (row: Rows[number]) => number) =>
    [...rows]
      .filter(row => by(row) > 0)
      .sort((a, b) => by(b) - by(a))
      .slice(0, namedInReport)
      .map(({ name }) => terminalText(name))
      .join(', ')
  const expensive = top(({ cost }) => cost)
  const unhelpful = top(row => row.unhelpful / (row.helpful + row.unhelpful))
  return [
    drawTable({ header, rows: drawn, numeric, whole: new Set([0]) }, width),
    ...(rows.length > 1 && expensive !== '' ? [`Most expensive: ${expensive}`] : []),
    ...(rows.length > 1 && unhelpful !== '' ? [`Least helpful: ${unhelpful}`] : []),
    ...(rows.length > drawn.length ? [`${rows.length - drawn.length} more: --json has all of them.`] : []),
  ].join('\n')
}
