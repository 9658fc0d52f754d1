import { setTimeout as wait } from 'node:timers/promises'
import { z } from 'zod'
import { ChatError } from '../../src/chat/error.ts'
import type { ChatOutbox, RenderedPart } from '../../src/chat/platform.ts'
import type { Reply } from '../../src/chat/reply.ts'
import type { RedisClient } from '../../src/store/redis/client.ts'

// A fake chat platform with its state in Redis. So it outlives killed workers, and several processes can share it.

const kindSchema = z.enum([
  'rate_limited',
  'unavailable',
  'rejected',
  'removed',
  'gone',
  'forbidden',
  'authentication',
  'cancelled',
  'bug',
])

/** A fault for the next call of one operation. */
const mishapSchema = z.object({
  operation: z.enum(['post', 'edit', 'find', 'answerPress']),
  fails: kindSchema.optional(),
  retryAfterMs: z.number().optional(),
  /** Whether the platform executes the call although it reports a failure. */
  doneAnyway: z.boolean().optional(),
  /** The platform reports a failure, and executes the call this long afterwards. */
  doneAfterMs: z.number().optional(),
  /** Kills the process that calls, either before or after the operation. */
  kills: z.enum(['before', 'after']).optional(),
  delayMs: z.number().optional(),
})
export type Mishap = z.infer<typeof mishapSchema>

const shownSchema = z.object({
  operation: z.enum(['post', 'edit', 'find', 'remove', 'answerPress']),
  id: z.string(),
  thread: z.string(),
  marker: z.string(),
  text: z.string(),
  at: z.number(),
})
export type Shown = z.infer<typeof shownSchema>

/** An answer is split into several messages at this text. */
export const PART_BREAK = '\n-----\n'

export interface FakePlatform {
  readonly outbox: ChatOutbox
  plan(...mishaps: readonly Mishap[]): Promise<void>
  /** Returns all operations so far, in order. */
  history(): Promise<readonly Shown[]>
  /** Returns the current text of each message, in the order in which they were posted. */
  standing(thread?: string): Promise<readonly string[]>
}

export function createFakePlatform(redis: RedisClient): FakePlatform {
  async function mishap(operation: Mishap['operation']): Promise<Mishap | undefined> {
    const text = await redis.lpop(`fake:mishaps:${operation}`)
    return text === null ? undefined : mishapSchema.parse(JSON.parse(text))
  }

  async function perform<Value>(operation: Mishap['operation'], signal: AbortSignal, act: () => Promise<Value>): Promise<Value> {
    const planned = await mishap(operation)
    if (planned?.kills === 'before') process.kill(process.pid, 'SIGKILL')
    if (planned?.delayMs !== undefined) await wait(planned.delayMs, undefined, { signal })
    if (planned?.doneAfterMs !== undefined) setTimeout(() => void act(), planned.doneAfterMs)
    if (planned?.fails !== undefined && planned.doneAnyway !== true) throw failure(planned)
    const value = await act()
    if (planned?.kills === 'after') process.kill(process.pid, 'SIGKILL')
    if (planned?.fails !== undefined) throw failure(planned)
    return value
  }

  async function note(shown: Omit<Shown, 'at'>): Promise<void> {
    await redis.rpush('fake:history', JSON.stringify({ ...shown, at: Date.now() }))
  }

  async function history(): Promise<readonly Shown[]> {
    return (await redis.lrange('fake:history', '0', '-1')).map(text => shownSchema.parse(JSON.parse(text)))
  }

  const outbox = {
    render: async reply => render(reply),
    post: (place, part, marker, signal) =>
      perform('post', signal, async () => {
        const id = `m${await redis.incr('fake:ids')}`
        await redis.rpush(`fake:markers:${marker}`, id)
        await note({ operation: 'post', id, thread: place.thread, marker, text: String(part.text) })
        return { id }
      }),
    edit: (place, posted, part, signal) =>
      perform('edit', signal, () =>
        note({ operation: 'edit', id: posted.id, thread: place.thread, marker: '', text: String(part.text) }),
      ),
    find: (place, marker, signal) =>
      perform('find', signal, async () => {
        const ids = await redis.lrange(`fake:markers:${marker}`, '0', '-1')
        await note({ operation: 'find', id: ids[0] ?? '', thread: place.thread, marker, text: '' })
        return ids.map(id => ({ id }))
      }),
    remove: (place, posted) => note({ operation: 'remove', id: posted.id, thread: place.thread, marker: '', text: '' }),
    personOf: async () => ({ timeZone: 'Europe/Berlin' }),
    answerPress: (press, reply, signal) =>
      perform('answerPress', signal, () =>
        note({
          operation: 'answerPress',
          id: press.messageId,
          thread: press.place.thread,
          marker: press.user,
          text: reply.markdown,
        }),
      ),
  } satisfies ChatOutbox

  return {
    outbox,
    async plan(...mishaps) {
      for (const planned of mishaps) await redis.rpush(`fake:mishaps:${planned.operation}`, JSON.stringify(planned))
    },
    history,
    async standing(thread) {
      const messages = new Map<string, string>()
      for (const shown of await history()) {
        if (shown.operation === 'find' || (thread !== undefined && shown.thread !== thread)) continue
        if (shown.operation === 'remove') messages.delete(shown.id)
        else messages.set(shown.id, shown.text)
      }
      return [...messages.values()]
    },
  }
}

function render(reply: Reply): readonly RenderedPart[] {
  if (reply.kind === 'progress') return [{ text: `… ${reply.answer ?? [...reply.lines, reply.table ?? []].flat().join(' / ')}` }]
  if (reply.kind === 'error') return [{ text: `error: ${reply.sentence}` }]
  if (reply.kind === 'notification') return [{ text: `done, ${reply.author}` }]
  if (reply.markdown.includes('unrenderable')) throw new TypeError('cannot render this')
  return reply.markdown.split(PART_BREAK).map(text => ({ text }))
}

function failure(planned: Mishap): Error {
  if (planned.fails === undefined || planned.fails === 'bug') return new TypeError('a fault in the outbox')
  const retry = planned.retryAfterMs === undefined ? {} : { retryAfterMs: planned.retryAfterMs }
  return new ChatError(`planned: ${planned.fails}`, { kind: planned.fails, ...retry })
}
