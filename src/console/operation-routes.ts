import { z } from 'zod'
import { latestLines } from '../audit/latest-lines.ts'
import type { AuditStore } from '../audit/store.ts'
import { DAY_MS } from '../base/durations.ts'
import { localTime } from '../base/time-zone.ts'
import { Problem } from '../http/problem.ts'
import type { acceptAgain } from '../queue/accept/accept-again.ts'
import { askerName } from '../queue/asker.ts'
import { createDeadLetters } from '../queue/dead-letters.ts'
import { REPORT_LIMITS } from '../queue/limits.ts'
import { readReports } from '../queue/process-reports.ts'
import { queueFigures } from '../queue/queue-figures.ts'
import { dropLetter, retryLetter, type SettledLetter } from '../queue/settle-letter.ts'
import type { Cap } from '../queue/usage/cap.ts'
import { type Reported, readUsage, type UsageRow } from '../queue/usage/report.ts'
import { daysBetween, windowAt } from '../queue/usage/windows.ts'
import type { Observe } from '../telemetry/observation.ts'
import { WarehouseError } from '../warehouse/error.ts'
import { type ConsoleApp, readQuery } from './app.ts'
import { CONSOLE_LIMITS } from './limits.ts'
import type { AuditJson, DeadLettersJson, OperationJson, UsageJson, UsedMeasure } from './operation-json.ts'

export interface OperationRoutesDeps extends Readonly<Parameters<typeof acceptAgain>[0]> {
  /** The caps of the operator. */
  readonly caps: readonly Cap[]
  /** Opens the places of audit lines. They stay open. */
  readonly openAudit: (signal: AbortSignal) => Promise<readonly AuditStore[]>
  readonly timeZone: string
  readonly now: () => number
  readonly observe?: Observe
}

const KINDS = ['person', 'channel', 'role', 'model', 'source'] as const
const usageQuery = z.object({
  days: z.coerce.number().int().min(1).max(CONSOLE_LIMITS.usageDays),
  by: z.enum(['cost', 'questions', 'tokens', 'bytes']),
})
const auditQuery = z.object({
  person: z.string().optional(),
  kind: z.string().optional(),
  from: z.coerce.number().int().default(0),
  to: z.coerce.number().int().optional(),
  cursor: z.string().optional(),
})

/** Adds the routes of the Operation page. */
export function addOperationRoutes(app: ConsoleApp, deps: OperationRoutesDeps): void {
  const { redis, now } = deps
  const limited = () => AbortSignal.timeout(CONSOLE_LIMITS.requestMs)
  app.add('GET /console/api/operation', async context => context.json(await operation(deps, limited())))
  app.add('GET /console/api/operation/usage', async context =>
    context.json(await usage(deps, readQuery(context, usageQuery), limited())),
  )
  app.add('GET /console/api/operation/audit', async context => {
    const { cursor, to = now(), ...filter } = readQuery(context, auditQuery)
    return context.json(await audit(deps, { ...filter, to }, cursor, limited()))
  })
  app.add('GET /console/api/operation/dead-letters', async context => {
    const letters = (await createDeadLetters(redis).list(limited())).map(({ id, givenUpAt: at, reason, accepted }) => {
      const person = accepted === undefined ? null : askerName(accepted.message.place, accepted.message.author)
      return { id, at, reason, person }
    })
    return context.json({ letters } satisfies DeadLettersJson)
  })
  app.add('POST /console/api/operation/dead-letters/:id/retry', async context => {
    told(deps, 'retry_dead_letter', await retryLetter(deps, context.req.param('id'), limited()))
    return context.body(null, 204)
  })
  app.add('DELETE /console/api/operation/dead-letters/:id', async context => {
    told(deps, 'drop_dead_letter', await dropLetter(deps, context.req.param('id'), limited()))
    return context.body(null, 204)
  })
}

/** Reports that an operator has settled a letter, so that the audit log has it. */
function told({ observe }: OperationRoutesDeps, action: string, settled: SettledLetter): void {
  observe?.({ kind: 'press', platform: 'console', action, outcome: settled === 'settled' ? 'answered' : 'failed' })
  if (settled === 'unknown') throw new Problem(404, 'not_found', 'There is no such dead letter any more.')
  if (settled === 'unreadable')
    throw new Problem(409, 'unreadable', 'The message cannot be read, so nobody can answer it. Drop it instead.')
}

async function audit(
  { openAudit, now }: OperationRoutesDeps,
  filter: Parameters<typeof latestLines>[1],
  cursor: string | undefined,
  signal: AbortSignal,
): Promise<AuditJson> {
  try {
    const stores = await openAudit(signal)
    const page = { cursor, limit: CONSOLE_LIMITS.auditLines, untilMs: now() + CONSOLE_LIMITS.auditMs }
    return { ...(await latestLines(stores, filter, page, signal)), kept_in: stores.map(({ description }) => description) }
  } catch (error) {
    if (!(error instanceof WarehouseError)) throw error
    throw new Problem(503, 'audit_unavailable', `The audit log cannot be read now: ${error.message}`)
  }
}

async function operation({ redis, now }: OperationRoutesDeps, signal: AbortSignal): Promise<OperationJson> {
  const at = now()
  const [queue, reports] = await Promise.all([queueFigures(redis, at), readReports(redis, signal)])
  const processes = reports.map(report => ({ ...report, is_silent: at - report.at > REPORT_LIMITS.silentMs }))
  return { at, queue, processes, error_minutes: REPORT_LIMITS.errorsMs / 60_000 }
}

async function usage(
  { redis, caps, timeZone, now }: OperationRoutesDeps,
  { days: count, by }: { readonly days: number; readonly by: UsedMeasure },
  signal: AbortSignal,
): Promise<UsageJson> {
  const today = localTime(now(), timeZone)
  const days = daysBetween(today - (count - 1) * DAY_MS, today)
  const sum = (rows: Iterable<UsageRow>) => [...rows].reduce((total, row) => total + row[by], 0)
  const most = async (kind: Reported, ofDays: readonly string[], measure: UsedMeasure) =>
    [...(await readUsage(redis, kind, ofDays, signal)).values()].sort((one, other) => other[measure] - one[measure])
  const kinds = KINDS.map(async kind => {
    const rows = await most(kind, days, by)
    return { kind, rows: rows.slice(0, CONSOLE_LIMITS.usageRows), names: rows.length, used: sum(rows) }
  })
  const capped = caps.map(async ({ message: _, ...cap }) => {
    const { of, window } = cap
    // Presses and windows of milliseconds belong to the caps against floods, of which nobody needs to see more.
    if (of === 'presses' || typeof window === 'number') return []
    const { days: ofWindow, endsAt } = windowAt(now(), window, timeZone)
    const rows = await most(cap.per, ofWindow, of)
    const nearest = rows.slice(0, CONSOLE_LIMITS.nearestToCap).map(row => ({ name: row.name, used: row[of] }))
    return [{ ...cap, ends_at: endsAt, nearest }]
  })
  return {
    time_zone: timeZone,
    days: await Promise.all(days.map(async day => ({ day, used: sum((await readUsage(redis, 'all', [day], signal)).values()) }))),
    kinds: await Promise.all(kinds),
    caps: (await Promise.all(capped)).flat(),
  }
}
