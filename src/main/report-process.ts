import { hostname } from 'node:os'
import { errorMessage } from '../base/errors.ts'
import { packageVersion } from '../base/package-files.ts'
import { REPORT_LIMITS } from '../queue/limits.ts'
import { type ProcessReport, writeReport } from '../queue/process-reports.ts'
import type { RedisClient } from '../store/redis/client.ts'
import { heldChecks, type ReadinessCheck } from '../telemetry/health-server.ts'
import type { Observation } from '../telemetry/observation.ts'
import type { WiringContext } from './store.ts'

/** Reports this process in Redis every ten seconds until it stops, for the console. Returns the given checks. */
export function reportProcess(
  { resources, logger, observers, breakers }: WiringContext,
  { kind, redis }: { readonly kind: ProcessReport['kind']; readonly redis: RedisClient },
  checks: Readonly<Record<string, ReadinessCheck>>,
): Readonly<Record<string, ReadinessCheck>> {
  let errors: { readonly kind: string; readonly at: number }[] = []
  observers?.add(observation => {
    const failed = errorKind(observation)
    if (failed !== undefined) errors = [...errors.slice(1 - REPORT_LIMITS.errors), { kind: failed, at: Date.now() }]
  })
  const about = { id: `${hostname()}:${process.pid}`, kind, version: packageVersion(), since: Date.now() }
  const report = async () => {
    const counts: Record<string, number> = {}
    errors = errors.filter(({ at }) => at > Date.now() - REPORT_LIMITS.errorsMs)
    for (const each of errors) counts[each.kind] = (counts[each.kind] ?? 0) + 1
    return { ...about, checks: await heldChecks({ ...checks, ...breakers?.checks() }), errors: counts }
  }
  let writing = Promise.resolve('')
  const write = () => {
    writing = writing.then(async last =>
      writeReport(redis, last, await report()).catch((error: unknown) => {
        logger.debug({ error: errorMessage(error) }, 'the report of this process was not written')
        return last
      }),
    )
  }
  write()
  const timer = setInterval(write, REPORT_LIMITS.everyMs).unref()
  resources.add('process report', timer, async () => {
    clearInterval(timer)
    await writeReport(redis, await writing)
  })
  return checks
}

const FAILING = ['answer', 'model_call', 'query', 'delivery', 'press']
const NO_ERRORS = ['ok', 'answered', 'asked_back', 'refused', 'stopped', 'cancelled']

/** Returns what failed and how, such as `query timeout`. Undefined if nothing failed. */
function errorKind(observation: Observation): string | undefined {
  if (!('outcome' in observation) || !FAILING.includes(observation.kind) || NO_ERRORS.includes(observation.outcome))
    return undefined
  return `${observation.kind} ${(observation.kind === 'answer' && observation.error) || observation.outcome}`
}
