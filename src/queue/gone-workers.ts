import type { Queue } from 'bullmq'
import type { RedisClient } from '../store/redis/client.ts'
import { redisScript, runScript } from '../store/redis/script.ts'
import { QUEUE_LIMITS } from './limits.ts'

// A job's field `pb` in BullMQ has the name of the worker that holds the job. So the script frees only a job that the dead worker
// still holds.
const FREE_JOB = redisScript(`
  if redis.call('HGET', KEYS[1], 'pb') == ARGV[1] then return redis.call('DEL', KEYS[2]) end
  return 0
`)

export interface GoneWorkersDeps {
  readonly redis: RedisClient
  readonly queue: Queue
  /** The name of the worker in this process. */
  readonly name: string
  now(): number
}

/**
 * Returns a check that frees the jobs of dead workers before their locks expire. The locks last for seconds, but the connections
 * of a dead process are closed at once. The check deletes the locks of workers without a connection, and BullMQ then treats their
 * jobs as stalled. If a server does not list its clients, the check does nothing.
 */
export function freeFromGoneWorkers({ redis, queue, name, now }: GoneWorkersDeps): () => Promise<void> {
  const missingSince = new Map<string, number>()
  return async () => {
    const others = (await queue.getActive()).filter(({ processedBy }) => processedBy !== undefined && processedBy !== name)
    if (others.length === 0) return missingSince.clear()
    const connected = readClients(String(await redis.client('LIST')))
    // Just after a restart of Redis, living workers may not be connected yet. So no worker is treated as dead then.
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

/** Reads the names of connected workers, and the age of the oldest connection. BullMQ calls a worker's connection `…:w:NAME`. */
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
