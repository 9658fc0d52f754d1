import { breather } from '../base/slices.ts'
import { HTTP_PLATFORM } from '../http/place.ts'
import type { Tokens } from '../http/tokens.ts'
import { abortable } from '../store/abortable.ts'
import { callRedis } from '../store/redis/call-redis.ts'
import type { RedisClient } from '../store/redis/client.ts'
import { CONSOLE_LIMITS } from './limits.ts'
import { CHANGES, LINES, openLine, type StoredLine } from './run-line.ts'

/** A line with the name of its place: `slack/C1`, `Console`, or that of a client's token. */
export type ListedLine = StoredLine & { readonly place: string }

interface RunMirrorDeps {
  readonly redis: RedisClient
  /** Unix time in milliseconds. */
  readonly now: () => number
  readonly tokens: Pick<Tokens, 'find'>
}

/** A copy of the list of runs in memory. Each reading takes over what has changed, so filters need no further request. */
export class RunMirror {
  readonly #deps: RunMirrorDeps
  /** By the ids of the clients' tokens. */
  readonly #names = new Map<string, string>()
  readonly #lines = new Map<string, ListedLine>()
  #sorted: readonly ListedLine[] | undefined
  #latest = 0
  #reading: Promise<void> | undefined

  constructor(deps: RunMirrorDeps) {
    this.#deps = deps
  }

  /**
   * Returns all runs, the latest first. Callers at the same time share one reading, which goes
   * on for the others if one of them leaves.
   * @throws StoreError
   */
  async read(signal: AbortSignal): Promise<readonly ListedLine[]> {
    this.#reading ??= this.#takeOver(AbortSignal.timeout(CONSOLE_LIMITS.requestMs)).finally(() => {
      this.#reading = undefined
    })
    await abortable(this.#reading, signal)
    this.#sorted ??= [...this.#lines.values()].sort((one, other) => other.at - one.at || (one.id < other.id ? 1 : -1))
    // A process that was killed may not have ended its line.
    const lostAt = this.#deps.now() - CONSOLE_LIMITS.lostMs
    const isLost = ({ outcome, at }: StoredLine) => outcome === 'running' && at < lostAt
    return this.#sorted.map(line => (isLost(line) ? { ...line, outcome: 'failed', error: 'lost' } : line))
  }

  /** @throws StoreError */
  async find(id: string, signal: AbortSignal): Promise<ListedLine | undefined> {
    return (await this.read(signal)).find(line => line.id === id)
  }

  async #takeOver(signal: AbortSignal): Promise<void> {
    const { redis } = this.#deps
    const most = CONSOLE_LIMITS.changesPage
    const breathe = breather()
    for (let isMore = true; isMore; ) {
      const asked = redis.zrange(CHANGES, `(${this.#latest}`, '+inf', 'BYSCORE', 'LIMIT', 0, most, 'WITHSCORES')
      const page = await callRedis(asked, signal)
      const ids = page.filter((_, index) => index % 2 === 0)
      const signed = ids.length === 0 ? [] : await callRedis(redis.hmget(LINES, ...ids), signal)
      for (const [index, id] of ids.entries()) {
        await breathe()
        const line = openLine(redis.stateKey, id, signed[index] ?? '')
        if (line !== undefined) this.#lines.set(id, { ...line, place: await this.#placeOf(line, signal) })
        this.#latest = Number(page[2 * index + 1])
        this.#sorted = undefined
      }
      isMore = ids.length === most
    }
    // Lines that have left the list, such as those of a forgotten person, leave the copy too.
    if ((await callRedis(redis.hlen(LINES), signal)) === this.#lines.size) return
    const standing = new Set(await callRedis(redis.hkeys(LINES), signal))
    for (const id of this.#lines.keys()) if (!standing.has(id)) this.#lines.delete(id)
    this.#sorted = undefined
  }

  async #placeOf({ platform, channel, person }: StoredLine, signal: AbortSignal): Promise<string> {
    if (platform !== HTTP_PLATFORM) return channel === '' ? platform : `${platform}/${channel}`
    // At the console, people ask in their own names. A client of HTTP asks in the name of its token.
    if (!person.startsWith(`${HTTP_PLATFORM}/`)) return 'Console'
    const name = this.#names.get(channel) ?? (await this.#deps.tokens.find(channel, signal))?.name ?? 'HTTP'
    this.#names.set(channel, name)
    return name
  }
}
