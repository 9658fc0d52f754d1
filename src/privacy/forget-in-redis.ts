import { runRequestSchema } from '../agent/run/request.ts'
import { parseJson } from '../base/text/parse-json.ts'
import { type Conversation, conversationSchema, isTurnOf, withoutPerson } from '../history/conversation.ts'
import { acceptedMessageSchema } from '../queue/accept/accepted-message.ts'
import { callRedis } from '../store/redis/call-redis.ts'
import type { RedisClient } from '../store/redis/client.ts'
import { scanKeys } from '../store/redis/scan-keys.ts'
import { createRedisStateStore } from '../store/redis/state-store.ts'
import type { StateStore } from '../store/state-store.ts'
import type { TracesOfPerson } from './traces-of-person.ts'

/** Keys without anything of a person, and the tokens of HTTP clients, which an operator revokes. */
const SKIPPED = /^clew:(?:schema:|state-key$|access:rules$|http:tokens$|\{audit\})/
/** The parts of somebody else's run that may quote an earlier conversation. */
const RUN_PART = /^clew:run:\{[^}]*\}:(\w+)/
const QUOTING_PARTS: readonly (string | undefined)[] = ['request', 'lineage', 'question']

/** The number of values that were deleted or changed, by what they hold. */
export type Forgotten = ReadonlyMap<string, number>

interface ForgetDeps {
  readonly redis: RedisClient
  /** Gets the runs and questions that are found. */
  readonly traces: TracesOfPerson
  /** Whether to count only, and change nothing. */
  readonly isTrial: boolean
}

/**
 * Deletes all that Redis has of a person. Reads each key once or twice, and of other people's runs only what may quote the person.
 * @throws StoreError, or the signal's reason
 */
export async function forgetInRedis(deps: ForgetDeps, signal: AbortSignal): Promise<Forgotten> {
  const store = createRedisStateStore(deps.redis)
  for await (const keys of scanKeys(deps.redis, 'clew:*', signal)) await Promise.all(keys.map(key => collect(key, deps, store, signal)))
  const walk = new ForgettingWalk(deps, store, signal)
  for (const pattern of ['clew:*', '{clew}:*']) {
    for await (const keys of scanKeys(deps.redis, pattern, signal)) await Promise.all(keys.map(key => walk.visit(key)))
  }
  return walk.forgotten
}

/** Notes the person's runs and questions, from accepted messages and from conversations. */
async function collect(key: string, { traces }: ForgetDeps, store: StateStore, signal: AbortSignal): Promise<void> {
  if (key.endsWith(':accepted')) {
    const { data } = acceptedMessageSchema.safeParse(parseJson((await store.get(unprefixed(key), signal)) ?? ''))
    if (data === undefined || !traces.isAuthor(data.message.author, data.message.place.platform)) return
    traces.runs.add(data.runId)
    traces.questions.add(data.message.text)
  } else if (key.endsWith(':conversation')) {
    const turns = readConversation(await store.get(unprefixed(key), signal))?.turns ?? []
    for (const turn of turns.filter(each => isTurnOf(each, traces))) {
      traces.runs.add(turn.run_id)
      traces.questions.add(turn.question).add(turn.standalone_question)
    }
  }
}

class ForgettingWalk {
  readonly forgotten = new Map<string, number>()
  readonly #deps: ForgetDeps
  readonly #store: StateStore
  readonly #signal: AbortSignal

  constructor(deps: ForgetDeps, store: StateStore, signal: AbortSignal) {
    this.#deps = deps
    this.#store = store
    this.#signal = signal
  }

  async visit(key: string): Promise<void> {
    if (SKIPPED.test(key)) return
    if (this.#deps.traces.inKey(key)) return this.#delete(key)
    const part = RUN_PART.exec(key)?.[1]
    if (part !== undefined && !QUOTING_PARTS.includes(part)) return
    const { redis } = this.#deps
    switch (await callRedis(redis.type(key), this.#signal)) {
      case 'string':
        return this.#visitText(key)
      case 'hash':
        return this.#visitHash(key)
      case 'list':
        for (const value of await callRedis(redis.lrange(key, '0', '-1'), this.#signal))
          if (this.#isTheirs(value, key)) await this.#change(key, () => redis.lrem(key, '0', value))
        return
      case 'zset':
        for (const member of await callRedis(redis.zrange(key, '0', '-1'), this.#signal))
          if (this.#isTheirs(member, key)) await this.#change(key, () => redis.zrem(key, member))
        return
      default:
    }
  }

  async #visitText(key: string): Promise<void> {
    if (key.endsWith(':conversation')) return this.#rewrite(key, readConversation, own => withoutPerson(own, this.#deps.traces))
    if (key.endsWith(':request')) {
      const read = (text: string | undefined) => runRequestSchema.safeParse(parseJson(text ?? '')).data
      await this.#rewrite(key, read, request => {
        const conversation = withoutPerson(request.conversation, this.#deps.traces)
        return conversation === request.conversation ? request : { ...request, conversation }
      })
    }
    const text = (await callRedis(this.#deps.redis.get(key), this.#signal)) ?? ''
    if (this.#isTheirs(text, key) || (/lineage|request/.test(key) && this.#deps.traces.quotesQuestion(text))) await this.#delete(key)
  }

  /** Changes a signed value, unless another process changes it at the same moment; then that one is changed. */
  async #rewrite<Value>(
    key: string,
    read: (text: string | undefined) => Value | undefined,
    change: (value: Value) => Value,
  ): Promise<void> {
    const { redis, isTrial } = this.#deps
    for (;;) {
      const [text, lifeMs] = await Promise.all([
        this.#store.get(unprefixed(key), this.#signal),
        callRedis(redis.pttl(key), this.#signal),
      ])
      const value = read(text)
      const changed = value && change(value)
      if (changed === value || text === undefined || changed === undefined) return
      const written = JSON.stringify(changed)
      if (isTrial || (await this.#store.setIfUnchanged(unprefixed(key), text, written, lifeMs / 1000, this.#signal)))
        return this.#count(key)
    }
  }

  async #visitHash(key: string): Promise<void> {
    const { redis } = this.#deps
    const fields = Object.entries(await callRedis(redis.hgetall(key), this.#signal))
    const theirs = fields.filter(([field, value]) => this.#isTheirs(field, key) || this.#isTheirs(value, key))
    if (theirs.length === 0) return
    if (!fields.some(([field]) => field === 'data')) {
      for (const [field] of theirs) await this.#change(key, () => redis.hdel(key, field))
      // The waiting messages of a thread are listed by their ids.
      const ids = theirs.map(([field]) => field)
      if (key.endsWith(':messages') && !this.#deps.isTrial)
        await callRedis(redis.zrem(key.replace(/messages$/, 'pending'), ...ids), this.#signal)
      return
    }
    // A job that a worker has in hand ends first. It is deleted an hour later.
    if (!fields.some(([field]) => field === 'finishedOn')) return
    await this.#delete(key)
    if (this.#deps.isTrial) return
    const [, queue = '', id = ''] = /^(.*?:.*?):(.*)$/.exec(key) ?? []
    for (const list of ['completed', 'failed']) await callRedis(redis.zrem(`${queue}:${list}`, id), this.#signal)
  }

  #isTheirs(text: string, key: string): boolean {
    return this.#deps.traces.inText(text, key)
  }

  #delete(key: string): Promise<void> {
    return this.#change(key, () => this.#deps.redis.del(key))
  }

  async #change(key: string, work: () => Promise<unknown>): Promise<void> {
    if (!this.#deps.isTrial) await callRedis(work(), this.#signal)
    this.#count(key)
  }

  #count(key: string): void {
    const kind = kindOf(key)
    this.forgotten.set(kind, (this.forgotten.get(kind) ?? 0) + 1)
  }
}

function readConversation(text: string | undefined): Conversation | undefined {
  return conversationSchema.safeParse(parseJson(text ?? '')).data
}

function unprefixed(key: string): string {
  return key.slice('clew:'.length)
}

/** The kinds of keys in words. The first pattern that matches counts. */
const KINDS = [
  ['conversations', /:conversation$|lineage/],
  ['questions', /:accepted$|:request$|:messages$|:held$|:question/],
  ['answers', /:record$|:rows:|:result:|\}:run:/],
  ['traces', /:log$|:checkpoints$/],
  ['feedback', /^clew:feedback:/],
  ['recent questions', /:recent(?::times)?$/],
  ['messages given up', /dead-letters/],
  ['presses and jobs', /^\{clew\}:/],
] as const

function kindOf(key: string): string {
  return KINDS.find(([, pattern]) => pattern.test(key))?.[0] ?? 'counters and marks'
}
