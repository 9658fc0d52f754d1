import { z } from 'zod'
import type { AuditFilter, AuditStore } from '../audit/store.ts'
import { DAY_MS } from '../base/durations.ts'
import { localTime } from '../base/time-zone.ts'
import { HTTP_PLATFORM } from '../http/place.ts'
import { Problem } from '../http/problem.ts'
import type { Tokens } from '../http/tokens.ts'
import type { acceptAgain } from '../queue/accept/accept-again.ts'
import { askerName } from '../queue/asker.ts'
import { createDeadLetters } from '../queue/dead-letters.ts'
import { REPORT_LIMITS } from '../queue/limits.ts'
import { readReports } from '../queue/process-reports.ts'
import { queueFigures } from '../queue/queue-figures.ts'
import { dropLetter, retryLetter, type SettledLetter } from '../queue/settle-letter.ts'
import { CAPPED_MEASURES, type Cap } from '../queue/usage/cap.ts'
import { REPORTED, type Reported, readUsed } from '../queue/usage/report.ts'
import { daysBetween, windowAt } from '../queue/usage/windows.ts'
import { abortable } from '../store/abortable.ts'
import type { ConsoleApp } from './app.ts'
import { CONSOLE_LIMITS } from './limits.ts'

/** The answers of the routes. Times are Unix times in milliseconds. */
export type OperationJson = Awaited<ReturnType<typeof operation>>
/** The use of some days, by one measure. `others` of a kind used less than those that used the most. */
export type UsageJson = Awaited<ReturnType<typeof usage>>
export type Used = UsageJson['days'][number]
/** A message that was given up. If `person` is null, the message cannot be read, and can only be dropped. */
export type LetterJson = Awaited<ReturnType<typeof deadLetters>>[number]
export type AuditJson = Awaited<ReturnType<typeof audit>>

export interface OperationRoutesDeps extends Readonly<Parameters<typeof acceptAgain>[0]> {
  /** The caps of the operator. */
  readonly caps: readonly Cap[]
  /** Opens the places of audit lines. They stay open. */
  readonly openAudit: () => Promise<readonly AuditStore[]>
  readonly tokens: Pick<Tokens, 'list'>
  readonly timeZone: string
  readonly now: () => number
}

const usageQuery = z.object({
  days: z.coerce.number().int().min(1).max(CONSOLE_LIMITS.usageDays),
  /** Default: the cost if any was counted, else questions. */
  by: z.enum(CAPPED_MEASURES).optional(),
})
const whole = z.coerce.number().int()
const cursor = z.string().regex(/^\d+(-\d+| [\w-]*)$/)
const auditQuery = z.object({
  ...{ person: z.string().optional(), kind: z.string().optional(), cursor: cursor.optional() },
  ...{ store: whole.default(0), from: whole.default(0), to: whole.default(Number.MAX_SAFE_INTEGER - 1) },
})

/** Adds the routes of the Operation page. */
export function addOperationRoutes(app: ConsoleApp, deps: OperationRoutesDeps): void {
  app.add('GET /console/api/operation', ({ signal }) => operation(deps, signal))
  app.add('GET /console/api/operation/usage', usageQuery, ({ given, signal }) => usage(deps, given, signal))
  app.add('GET /console/api/operation/audit', auditQuery, ({ given, signal }) => audit(deps, given, signal))
  app.add('GET /console/api/operation/dead-letters', ({ signal }) => deadLetters(deps, signal))
  app.add('POST /console/api/operation/dead-letters/:id/retry', async ({ path, signal }) =>
    checkSettled(await retryLetter(deps, path.id, signal)),
  )
  app.add('DELETE /console/api/operation/dead-letters/:id', async ({ path, signal }) =>
    checkSettled(await dropLetter(deps, path.id, signal)),
  )
}

async function deadLetters({ redis }: OperationRoutesDeps, signal: AbortSignal) {
  return (await createDeadLetters(redis).list(signal)).map(({ id, givenUpAt: at, reason, accepted }) => {
    const person = accepted === undefined ? null : askerName(accepted.message.place, accepted.message.author)
    return { id, at, reason, person }
  })
}

/** @throws Problem if nothing was done */
function checkSettled(settled: SettledLetter): void {
  if (settled === 'unknown') throw new Problem(404, 'not_found', 'There is no such dead letter any more.')
  if (settled === 'unreadable') throw new Problem(409, 'unreadable', 'The message cannot be read, so nobody can answer it.')
}

async function operation({ redis, now }: OperationRoutesDeps, signal: AbortSignal) {
  const at = now()
  const [queue, reports] = await Promise.all([queueFigures(redis, at), readReports(redis, signal)])
  // A process has missed several reports if it has died or cannot reach Redis.
  const processes = reports.map(report => ({ ...report, is_silent: at - report.at > REPORT_LIMITS.silentMs }))
  return { at, queue, processes, error_minutes: REPORT_LIMITS.errorsMs / 60_000 }
}

async function usage(
  { redis, tokens, caps, timeZone, now }: OperationRoutesDeps,
  { days: count, by: asked }: z.infer<typeof usageQuery>,
  signal: AbortSignal,
) {
  // Over HTTP, a channel is a token.
  const labels = new Map((await tokens.list(signal)).map(({ id, name }) => [`${HTTP_PLATFORM}/${id}`, name ?? id]))
  const today = localTime(now(), timeZone)
  const days = daysBetween(today - (count - 1) * DAY_MS, today)
  const usedBy = async (kind: Reported, ofDays: readonly string[], measure: (typeof CAPPED_MEASURES)[number]) =>
    [...(await readUsed(redis, kind, ofDays, measure, signal))]
      .map(([name, used]) => ({ name, label: labels.get(name) ?? name, used }))
      .filter(({ used }) => used > 0)
      .sort((one, other) => other.used - one.used)
  const by = asked ?? ((await usedBy('all', days, 'cost')).length > 0 ? 'cost' : 'questions')
  const kinds = REPORTED.map(async kind => {
    const all = await usedBy(kind, days, by)
    return { kind, most: all.slice(0, CONSOLE_LIMITS.usageRows), others: Math.max(0, all.length - CONSOLE_LIMITS.usageRows) }
  })
  const capped = caps.map(async ({ per, of, window, limit, soft }) => {
    if (of === 'presses' || typeof window === 'number') return []
    const nearest = await usedBy(per, windowAt(now(), window, timeZone).days, of)
    return [{ per, of, window, limit, ...(soft && { soft }), nearest: nearest.slice(0, CONSOLE_LIMITS.nearestToCap) }]
  })
  const byDay = days.map(async day => ({ name: day, label: day, used: (await usedBy('all', [day], by))[0]?.used ?? 0 }))
  return {
    by,
    time_zone: timeZone,
    days: await Promise.all(byDay),
    kinds: await Promise.all(kinds),
    caps: (await Promise.all(capped)).flat(),
  }
}

async function audit(
  { openAudit }: OperationRoutesDeps,
  { store, cursor, ...filter }: z.infer<typeof auditQuery>,
  signal: AbortSignal,
) {
  const stores = await abortable(openAudit(), signal)
  const latest = await stores[store]?.latest(filter satisfies AuditFilter, cursor, signal)
  return { lines: [], next: undefined, ...latest, stores: stores.map(({ description }) => description) }
}
