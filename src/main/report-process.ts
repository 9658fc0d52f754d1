import { hostname } from 'node:os'
import { errorMessage } from '../base/errors.ts'
import { packageVersion } from '../base/package-files.ts'
import { REPORT_LIMITS } from '../queue/limits.ts'
import { OwnReport, type ProcessReport } from '../queue/process-reports.ts'
import type { RedisClient } from '../store/redis/client.ts'
import { heldChecks, type ReadinessCheck } from '../telemetry/health-server.ts'
import type { Observation, Observe } from '../telemetry/observation.ts'
import type { WiringContext } from './store.ts'

type Checks = Readonly<Record<string, ReadinessCheck>>

/** Reports this process in Redis every ten seconds until it stops. Returns the checks that it was given. */
export function reportProcess(
  { resources, logger, observers, breakers }: WiringContext,
  { kind, redis }: { readonly kind: ProcessReport['kind']; readonly redis: RedisClient },
  checks: Checks,
): Checks {
  const recent = new RecentWork(Date.now)
  observers?.add(recent.observe)
  const own = new OwnReport(redis)
  const about = { id: `${hostname()}:${process.pid}`, kind, version: packageVersion(), since: Date.now() }
  const write = async () => {
    const held = await heldChecks(checks)
    await own.write(
      { ...about, checks: held, breakers: [...(breakers?.states() ?? [])], ...recent.report() },
      AbortSignal.timeout(REPORT_LIMITS.writeMs),
    )
  }
  let writing = Promise.resolve()
  const writeNow = () => {
    writing = writing.then(write).catch((error: unknown) => logger.debug({ error: errorMessage(error) }, 'no report was written'))
  }
  writeNow()
  const timer = setInterval(writeNow, REPORT_LIMITS.everyMs).unref()
  resources.add('process report', own, async opened => {
    clearInterval(timer)
    await writing
    await opened.remove(AbortSignal.timeout(REPORT_LIMITS.writeMs))
  })
  return checks
}

/** Remembers the latest errors of this process, and how its latest request to the model ended. */
class RecentWork {
  readonly #now: () => number
  #errors: { readonly kind: string; readonly at: number }[] = []
  #model: ProcessReport['model'] = null

  constructor(now: () => number) {
    this.#now = now
  }

  readonly observe: Observe = observation => {
    const at = this.#now()
    if (observation.kind === 'model_call' && observation.outcome !== 'cancelled')
      this.#model = { model: observation.model, outcome: observation.outcome, at }
    const kind = errorKind(observation)
    if (kind === undefined) return
    this.#errors.push({ kind, at })
    if (this.#errors.length > REPORT_LIMITS.errors) this.#errors.shift()
  }

  report(): Pick<ProcessReport, 'model' | 'errors'> {
    const since = this.#now() - REPORT_LIMITS.errorsMs
    this.#errors = this.#errors.filter(({ at }) => at >= since)
    const errors = new Map<string, ProcessReport['errors'][number]>()
    for (const { kind, at } of this.#errors) {
      errors.set(kind, { kind, count: (errors.get(kind)?.count ?? 0) + 1, latest_at: at })
    }
    return { model: this.#model, errors: [...errors.values()] }
  }
}

/** Returns what failed and how, such as `query timeout`. Undefined if nothing failed. */
function errorKind(observation: Observation): string | undefined {
  if (observation.kind === 'answer')
    return observation.outcome === 'failed' ? `answer ${observation.error ?? 'fault'}` : undefined
  if (observation.kind === 'press') return observation.outcome === 'answered' ? undefined : `press ${observation.outcome}`
  if (observation.kind !== 'model_call' && observation.kind !== 'query' && observation.kind !== 'delivery') return undefined
  const { kind, outcome } = observation
  return ['ok', 'answered', 'cancelled'].includes(outcome) ? undefined : `${kind} ${outcome}`
}
