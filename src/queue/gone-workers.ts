import type { Queue } from 'bullmq'
import type { RedisClient } from '../store/redis-client.ts'
import { redisScript, runScript } from '../store/redis-script.ts'
import { QUEUE_LIMITS } from './limits.ts'

// `pb` is the field in which BullMQ keeps the name of the worker that has the job.
const FREE_JOB = redisScript(`
  if redis.call('HGET', KEYS[1], 'pb') == ARGV[1] then return redis.call('DEL', KEYS[2]) end
  return 0
`)

export interface GoneWorkersDeps {
  readonly redis: RedisClient
  readonly queue: Queue
  /** The looking worker's own name. */
  readonly name: string
  /** Milliseconds of any clock. */
  now(): number
}

/**
 * Gives a look that frees the jobs of workers whose processes are gone: it takes their locks away, so that BullMQ's next look for stalled jobs finds them.
 * Redis closes the connections of a dead process at once, while a lock outlives it by seconds. A server that does not list its clients leaves all to the locks.
 */
export function freeFromGoneWorkers({ redis, queue, name, now }: GoneWorkersDeps): () => Promise<void> {
  const missingSince = new Map<string, number>()
  return async () => {
    const others = (await queue.getActive()).filter(({ processedBy }) => processedBy !== undefined && processedBy !== name)
    if (others.length === 0) return missingSince.clear()
    const connected = readClients(String(await redis.client('LIST')))
    // Where all were cut off together, as by a restart of Redis, some are not back yet.
    const isWhole = connected.names.has(name) && connected.oldestMs >= QUEUE_LIMITS.connectedMs
    if (!isWhole) return missingSince.clear()
    for (const { id = '', processedBy = '' } of others) {
      if (connected.names.has(processedBy)) missingSince.delete(processedBy)
      else if (now() - (missingSince.get(processedBy) ?? now()) >= QUEUE_LIMITS.goneMs)
        await runScript(redis, FREE_JOB, [queue.toKey(id), `${queue.toKey(id)}:lock`], [processedBy])
      else if (!missingSince.has(processedBy)) missingSince.set(processedBy, now())
    }
  }
}

/** The workers' names in Redis's list of clients, and the age of its oldest connection. BullMQ names a worker's connection `…:w:NAME`. */
function readClients(list: string): { readonly names: ReadonlySet<string>; readonly oldestMs: number } {
  const names = new Set<string>()
  let oldestMs = 0
  for (const line of list.split('\n')) {
    const fields = new Map(
      line.split(' ').map(field => [field.slice(0, field.indexOf('=')), field.slice(field.indexOf('=') + 1)]),
    )
    const named = fields.get('name')?.split(':w:')[1]
    if (named !== undefined) names.add(named)
    oldestMs = Math.max(oldestMs, 1000 * Number(fields.get('age') ?? 0))
  }
  return { names, oldestMs }
}
