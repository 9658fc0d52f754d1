import { Cluster } from 'ioredis'
import type { CheckResult, Report } from '../../base/check.ts'
import type { Logger } from '../../base/logger.ts'
import { STORE_LIMITS } from '../limits.ts'
import type { RedisConnection } from './client.ts'
import { closeRedis, connectUncheckedRedis } from './connection.ts'
import { readInfo } from './require-durable-redis.ts'
import { describeRedis, parseRedisUrl } from './url.ts'

export interface RedisCheckOptions {
  readonly url: string
  readonly requireAppendOnly: boolean
  readonly startTimeoutMs: number
  readonly logger: Logger
}

/** The oldest version of Redis that BullMQ 6 accepts: `RedisConnection.minimumVersion`. */
const OLDEST_VERSION = '5.0.0'
/** The oldest version of Redis that BullMQ 6 recommends: `RedisConnection.recommendedMinimumVersion`. */
const RECOMMENDED_VERSION = '6.2.0'

type ServerInfo = ReadonlyMap<string, string>
type Finding = Omit<CheckResult, 'part'>

/**
 * Checks the Redis that holds accepted messages: version, eviction, persistence, free memory and latency. In a cluster, checks
 * every primary.
 */
export async function checkRedis(options: RedisCheckOptions, report: Report, signal: AbortSignal): Promise<void> {
  const redis = await connectUncheckedRedis({ ...options, role: 'worker' })
  try {
    signal.throwIfAborted()
    report({ check: 'answer', state: 'ok', found: `${describeRedis(parseRedisUrl(options.url))} answers` })
    await checkLatency(redis, report)
    const servers = redis instanceof Cluster ? redis.nodes('master') : [redis]
    for (const [index, server] of servers.entries()) {
      const named: Report =
        servers.length === 1 ? report : result => report({ ...result, check: `${result.check} of primary ${index + 1}` })
      const info = await readInfo(server)
      if (info.size === 0) {
        const advice = 'Let this user run INFO, or make sure of maxmemory-policy noeviction and appendonly yes yourself.'
        named({ check: 'settings', state: 'warning', found: 'the server does not tell them', advice })
        continue
      }
      const persistence = judgePersistence(info, options.requireAppendOnly)
      const findings = [judgeVersion(info), judgeRole(info), judgePolicy(info), persistence, judgeMemory(info)]
      for (const finding of findings) if (finding !== undefined) named(finding)
    }
  } finally {
    await closeRedis(redis)
  }
}

async function checkLatency(redis: RedisConnection, report: Report): Promise<void> {
  const times: number[] = []
  for (let sent = 0; sent < STORE_LIMITS.check.pings; sent += 1) {
    const startedAt = performance.now()
    await redis.ping()
    times.push(performance.now() - startedAt)
  }
  const median = times.sort((left, right) => left - right)[Math.floor(STORE_LIMITS.check.pings / 2)] ?? 0
  const found = `${median.toFixed(1)} ms for a round trip`
  if (median <= STORE_LIMITS.check.slowMs) report({ check: 'latency', state: 'ok', found })
  else
    report({
      check: 'latency',
      state: 'warning',
      found,
      advice: 'Run Clew near its Redis: every message takes several round trips.',
    })
}

function judgeVersion(info: ServerInfo): Finding {
  const valkey = info.get('valkey_version')
  const dragonfly = info.get('dragonfly_version')
  if (valkey !== undefined) return { check: 'version', state: 'ok', found: `Valkey ${valkey}` }
  if (dragonfly !== undefined) {
    const found = `Dragonfly ${dragonfly}, which Clew is not tested with`
    return { check: 'version', state: 'warning', found, advice: 'Use Redis or Valkey.' }
  }
  const version = info.get('redis_version') ?? '0'
  const found = `Redis ${version}`
  if (isOlder(version, OLDEST_VERSION)) {
    return {
      check: 'version',
      state: 'failed',
      found: `${found} is too old`,
      advice: `Use Redis ${RECOMMENDED_VERSION} or later.`,
    }
  }
  if (isOlder(version, RECOMMENDED_VERSION)) {
    return {
      check: 'version',
      state: 'warning',
      found: `${found} is old`,
      advice: `Use Redis ${RECOMMENDED_VERSION} or later.`,
    }
  }
  return { check: 'version', state: 'ok', found }
}

function judgeRole(info: ServerInfo): Finding | undefined {
  if (info.get('role') !== 'slave') return undefined
  const advice = 'Name the primary in REDIS_URL, or use redis+sentinel://… or redis+cluster://…, which find it.'
  return { check: 'role', state: 'failed', found: 'it is a replica, which takes no writes', advice }
}

function judgePolicy(info: ServerInfo): Finding {
  const policy = info.get('maxmemory_policy')
  if (policy === 'noeviction') return { check: 'eviction', state: 'ok', found: 'maxmemory-policy is noeviction' }
  const advice = 'Set maxmemory-policy to noeviction (CONFIG SET, and redis.conf or the parameter group of a managed one).'
  if (policy === undefined)
    return { check: 'eviction', state: 'warning', found: 'the server does not tell its maxmemory-policy', advice }
  const found = `maxmemory-policy is ${policy}: accepted messages could vanish, so Clew does not start`
  return { check: 'eviction', state: 'failed', found, advice }
}

function judgePersistence(info: ServerInfo, required: boolean): Finding {
  const advice = 'Set appendonly to yes, with a disk that survives a restart.'
  if (info.get('aof_enabled') !== '1') {
    const found = info.has('aof_enabled')
      ? 'appendonly is no: accepted messages are lost when it restarts'
      : 'the server does not tell whether it is append-only'
    return { check: 'persistence', state: required ? 'failed' : 'warning', found, advice }
  }
  if (info.get('aof_last_write_status') === 'err') {
    const found = 'the append-only file cannot be written'
    return {
      check: 'persistence',
      state: 'failed',
      found,
      advice: "Look at the server's log; most likely its disk is full.",
    }
  }
  return { check: 'persistence', state: 'ok', found: 'append-only' }
}

function judgeMemory(info: ServerInfo): Finding | undefined {
  const [used, most] = [Number(info.get('used_memory')), Number(info.get('maxmemory') ?? 0)]
  if (!(most > 0)) return undefined
  const share = used / most
  const found = `${Math.round(share * 100)} % of maxmemory is used`
  if (share < STORE_LIMITS.check.fullShare) return { check: 'memory', state: 'ok', found }
  return { check: 'memory', state: 'warning', found, advice: 'Raise maxmemory: when it is full, no message is accepted.' }
}

function isOlder(version: string, than: string): boolean {
  const [left, right] = [version.split('.').map(Number), than.split('.').map(Number)]
  for (const [index, number] of right.entries()) {
    if ((left[index] ?? 0) !== number) return (left[index] ?? 0) < number
  }
  return false
}
