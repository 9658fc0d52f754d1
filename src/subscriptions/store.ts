import { AGENT_LIMITS } from '../agent/limits.ts'
import { jitterOf } from '../agent/subscribe/schedule.ts'
import { parseJson } from '../base/text/parse-json.ts'
import { callRedis } from '../store/redis/call-redis.ts'
import type { RedisClient } from '../store/redis/client.ts'
import { createRedisStateStore } from '../store/redis/state-store.ts'
import type { StateStore } from '../store/state-store.ts'
import { SUBSCRIPTION_LIMITS } from './limits.ts'
import { ownerOf, type Subscription, subscriptionSchema } from './subscription.ts'

/** Sorted set: the ids of all subscriptions, by the time at which they are to be looked at. */
const INDEX = 'clew:subscriptions'

/**
 * Keeps subscriptions in Redis. Each is one signed value, which is changed only where it is still the one that was read. Methods
 * throw StoreError.
 */
export class Subscriptions {
  /** Unix time in milliseconds. */
  readonly now: () => number
  readonly #redis: RedisClient
  readonly #store: StateStore

  constructor({ redis, now }: { readonly redis: RedisClient; readonly now: () => number }) {
    this.now = now
    this.#redis = redis
    this.#store = createRedisStateStore(redis)
  }

  /** A subscription that another version of Clew wrote in another form is treated as absent. */
  async find(id: string, signal: AbortSignal): Promise<Subscription | undefined> {
    return read(await this.#store.get(keyOf(id), signal))
  }

  /** Adds a subscription. If there is one with this id, that one stays. */
  async add(subscription: Subscription, signal: AbortSignal): Promise<void> {
    await this.#write(undefined, subscription, signal)
    await callRedis(this.#redis.zadd(INDEX, this.#lookedAt(subscription), subscription.id), signal)
  }

  /**
   * Changes a subscription, and decides when it is looked at next. If another process changes it at the same moment, `change` is
   * asked again. It returns its argument to change nothing.
   * @returns the subscription as it is now; undefined if it was deleted
   */
  async change(id: string, change: (now: Subscription) => Subscription | Promise<Subscription>, signal: AbortSignal) {
    for (;;) {
      const text = await this.#store.get(keyOf(id), signal)
      const now = read(text)
      if (now === undefined) return undefined
      const next = await change(now)
      if (next !== now && !(await this.#write(text, next, signal))) continue
      // One that somebody has deleted meanwhile does not come back.
      await callRedis(this.#redis.zadd(INDEX, 'XX', this.#lookedAt(next), id), signal)
      return next
    }
  }

  /** Looks no longer at one that is absent. One that another version of Clew wrote in another form is kept for that version. */
  async setAside(id: string, signal: AbortSignal): Promise<void> {
    const text = await this.#store.get(keyOf(id), signal)
    const later = this.now() + SUBSCRIPTION_LIMITS.recheckMs
    await callRedis(text === undefined ? this.#redis.zrem(INDEX, id) : this.#redis.zadd(INDEX, 'XX', later, id), signal)
  }

  async remove(id: string, signal: AbortSignal): Promise<void> {
    await this.#store.delete(keyOf(id), signal)
    await callRedis(this.#redis.zrem(INDEX, id), signal)
  }

  /** Returns all subscriptions, or those of one owner, as `slack/U1`. */
  async all(signal: AbortSignal, owner?: string): Promise<readonly Subscription[]> {
    const ids = await callRedis(this.#redis.zrange(INDEX, '0', '-1'), signal)
    const found = await Promise.all(ids.map(id => this.find(id, signal)))
    return found.flatMap(each => (each && (owner === undefined || ownerOf(each) === owner) ? [each] : []))
  }

  /** Returns the ids of those that are to be looked at. */
  async due(signal: AbortSignal): Promise<readonly string[]> {
    const most = SUBSCRIPTION_LIMITS.startedTogether
    return callRedis(this.#redis.zrangebyscore(INDEX, '-inf', this.now(), 'LIMIT', 0, most), signal)
  }

  /**
   * Does work that adds a subscription to those of its owner, and takes it back if the owner then has as many others as one may
   * have. Ended ones do not count. Nobody counts before writing, so the last of several at once sees all of them, and the limit
   * holds. Two at once may both be taken back.
   * @returns undefined if there are too many
   */
  async ifRoom<Done>(owner: string, id: string, add: () => Promise<Done>, signal: AbortSignal): Promise<Done | undefined> {
    const before = await this.find(id, signal)
    const added = await add()
    if (before !== undefined && before.status !== 'ended') return added
    const others = (await this.all(signal, owner)).filter(each => each.id !== id && each.status !== 'ended')
    if (others.length < AGENT_LIMITS.subscribe.mostOfOne) return added
    await (before === undefined ? this.remove(id, signal) : this.change(id, () => before, signal))
    return undefined
  }

  #write(before: string | undefined, subscription: Subscription, signal: AbortSignal): Promise<boolean> {
    const { retentionSeconds } = SUBSCRIPTION_LIMITS
    return this.#store.setIfUnchanged(keyOf(subscription.id), before, JSON.stringify(subscription), retentionSeconds, signal)
  }

  /** One that runs is looked after. Any other is looked at when it is next due, or never if it does not recur. */
  #lookedAt({ id, status, running, next, recurrence }: Subscription): number | '+inf' {
    if (running !== null) return this.now() + SUBSCRIPTION_LIMITS.recheckMs
    return status === 'active' ? next + jitterOf({ id, recurrence }) : '+inf'
  }
}

function keyOf(id: string): string {
  return `subscription:{${id}}`
}

function read(text: string | undefined): Subscription | undefined {
  return text === undefined ? undefined : subscriptionSchema.safeParse(parseJson(text)).data
}
