import { runRequestSchema } from '../agent/run/request.ts'
import { parseJson } from '../base/text/parse-json.ts'
import { conversationSchema, isTurnOf, withoutPerson } from '../history/conversation.ts'
import { acceptedMessageSchema } from '../queue/accept/accepted-message.ts'
import { callRedis } from '../store/redis/call-redis.ts'
import type { RedisClient } from '../store/redis/client.ts'
import { scanKeys } from '../store/redis/scan-keys.ts'
import { createRedisStateStore } from '../store/redis/state-store.ts'
import type { StateStore } from '../store/state-store.ts'
import type { TracesOfPerson } from './traces-of-person.ts'

/** Keys without anything of a person, and the tokens of HTTP clients, which an operator revokes. */
const SKIPPED = /^clew:(?:schema:|state-|access:rules$|http:tokens$|\{audit\})/
/** Other parts of somebody else's run do not quote earlier conversations. */
const OF_RUN = /^clew:run:\{[^}]*\}:(?!request$|lineage$|question$)/

const readConversation = (text: string) => conversationSchema.safeParse(parseJson(text)).data
const readRequest = (text: string) => runRequestSchema.safeParse(parseJson(text)).data
const unprefixed = (key: string) => key.slice('clew:'.length)

interface ForgetDeps {
  readonly redis: RedisClient
  /** Gets the runs and questions that are found. */
  readonly traces: TracesOfPerson
  /** Whether to count only, and change nothing. */
  readonly isTrial: boolean
}

/**
 * Deletes all that Redis has of a person. Reads each key once or twice, and of other people's runs only what may quote the person.
 * @returns the number of values that were deleted or changed, by what they hold
 * @throws StoreError, or the signal's reason
 */
export async function forgetInRedis(deps: ForgetDeps, signal: AbortSignal): Promise<ReadonlyMap<string, number>> {
  const walk = new ForgettingWalk(deps, signal)
  await walk.each('clew:*', key => walk.collect(key))
  for (const pattern of ['clew:*', '{clew}:*']) await walk.each(pattern, key => walk.visit(key))
  return walk.counts
}

class ForgettingWalk {
  readonly counts = new Map<string, number>()
  readonly #deps: ForgetDeps
  readonly #store: StateStore
  readonly #signal: AbortSignal

  constructor(deps: ForgetDeps, signal: AbortSignal) {
    this.#deps = deps
    this.#store = createRedisStateStore(deps.redis)
    this.#signal = signal
  }

  async each(pattern: string, work: (key: string) => Promise<void>): Promise<void> {
    for await (const keys of scanKeys(this.#deps.redis, pattern, this.#signal)) await Promise.all(keys.map(work))
  }

  /** Notes the person's runs and questions, from accepted messages and from conversations. */
  async collect(key: string): Promise<void> {
    const { traces } = this.#deps
    if (!/:(?:accepted|conversation)$/.test(key)) return
    const text = (await this.#store.get(unprefixed(key), this.#signal)) ?? ''
    for (const turn of readConversation(text)?.turns.filter(each => isTurnOf(each, traces)) ?? [])
      traces.add(turn.run_id, turn.question, turn.standalone_question)
    const accepted = acceptedMessageSchema.safeParse(parseJson(text)).data
    if (accepted !== undefined && traces.isAuthor(accepted.message)) traces.add(accepted.runId, accepted.message.text)
  }

  async visit(key: string): Promise<void> {
    const { redis, traces } = this.#deps
    if (SKIPPED.test(key)) return
    if (traces.inKey(key)) return this.#change(key, () => redis.del(key))
    if (OF_RUN.test(key)) return
    const type = await callRedis(redis.type(key), this.#signal)
    if (type === 'string') await this.#visitText(key)
    if (type === 'hash') await this.#visitHash(key)
    if (type === 'list') await this.#visitMembers(key, redis.lrange(key, '0', '-1'), value => redis.lrem(key, '0', value))
    if (type === 'set') await this.#visitMembers(key, redis.smembers(key), member => redis.srem(key, member))
    if (type === 'zset') await this.#visitMembers(key, redis.zrange(key, '0', '-1'), member => redis.zrem(key, member))
  }

  async #visitMembers(key: string, reading: Promise<string[]>, remove: (member: string) => Promise<unknown>): Promise<void> {
    for (const member of await callRedis(reading, this.#signal))
      if (this.#deps.traces.inText(member, key)) await this.#change(key, () => remove(member))
  }

  async #visitText(key: string): Promise<void> {
    const { redis, traces } = this.#deps
    if (key.endsWith(':conversation')) return this.#rewrite(key, readConversation, own => withoutPerson(own, traces))
    if (key.endsWith(':request')) {
      await this.#rewrite(key, readRequest, request => {
        const conversation = withoutPerson(request.conversation, traces)
        return conversation === request.conversation ? request : { ...request, conversation }
      })
    }
    const text = (await callRedis(redis.get(key), this.#signal)) ?? ''
    const quotes = /lineage|request/.test(key) && traces.quotesQuestion(text)
    if (quotes || traces.inText(text, key)) await this.#change(key, () => redis.del(key))
  }

  /** Changes a signed value. If another process changes it at the same moment, tries again. */
  async #rewrite<Value>(key: string, read: (text: string) => Value | undefined, change: (value: Value) => Value): Promise<void> {
    const { redis, isTrial } = this.#deps
    for (let isWritten = false; !isWritten; ) {
      const text = await this.#store.get(unprefixed(key), this.#signal)
      const lifeMs = await callRedis(redis.pttl(key), this.#signal)
      const value = read(text ?? '')
      const changed = value && change(value)
      if (changed === value) return
      const written = JSON.stringify(changed)
      isWritten = isTrial || (await this.#store.setIfUnchanged(unprefixed(key), text, written, lifeMs / 1000, this.#signal))
    }
    this.#count(key)
  }

  async #visitHash(key: string): Promise<void> {
    const { redis, traces } = this.#deps
    const fields = await callRedis(redis.hgetall(key), this.#signal)
    const theirs = Object.keys(fields).filter(name => traces.inText(name, key) || traces.inText(fields[name] ?? '', key))
    if (theirs.length === 0) return
    if (!Object.hasOwn(fields, 'data')) {
      await this.#change(key, () => redis.hdel(key, ...theirs))
      // The waiting messages of a thread are listed by their ids.
      if (key.endsWith(':messages')) await this.#change(key, () => redis.zrem(key.replace(/messages$/, 'pending'), ...theirs))
    } else if (Object.hasOwn(fields, 'finishedOn')) {
      // A job that has not ended is left to its worker, and deleted with the next call.
      await this.#change(key, () => redis.del(key))
    }
  }

  async #change(key: string, work: () => Promise<unknown>): Promise<void> {
    if (!this.#deps.isTrial) await callRedis(work(), this.#signal)
    this.#count(key)
  }

  #count(key: string): void {
    const [kind] = KINDS.find(([, pattern]) => pattern.test(key)) ?? ['counters and marks']
    this.counts.set(kind, (this.counts.get(kind) ?? 0) + 1)
  }
}

/** The kinds of keys in words. The first pattern that matches counts. */
const KINDS = [
  ['conversations', /:conversation$|lineage/],
  ['questions', /:accepted$|:request$|:messages$|:held$|:question/],
  ['answers and rows', /:record$|:rows:|:result:|\}:run:/],
  ['traces', /:log$|:checkpoints$/],
  // A verdict stands in the list of its day, and once more by itself, which is no second one.
  ['feedback', /^clew:feedback:\d/],
  ['recent questions', /:recent(?::times)?$/],
  ['subscriptions', /^clew:subscription/],
  ['dead letters', /dead-letters/],
  ['presses and jobs', /^\{clew\}:/],
] as const
