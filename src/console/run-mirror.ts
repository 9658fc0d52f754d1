import { z } from 'zod'
import { inSlices } from '../base/slices.ts'
import { HTTP_PLATFORM } from '../http/place.ts'
import type { Tokens } from '../http/tokens.ts'
import { abortable } from '../store/abortable.ts'
import { callRedis } from '../store/redis/call-redis.ts'
import type { RedisClient } from '../store/redis/client.ts'
import { redisScript, runScript } from '../store/redis/script.ts'
import { CONSOLE_LIMITS } from './limits.ts'
import { CHANGES, LINES, openLine, type StoredLine } from './run-line.ts'

// Returns the number of lines, and those that have changed after a moment, each with its time. Both are of the same moment.
const READ = redisScript(`
  local found = redis.call('ZRANGE', KEYS[2], '(' .. ARGV[1], '+inf', 'BYSCORE', 'LIMIT', 0, ARGV[2], 'WITHSCORES')
  local read = {}
  for i = 1, #found, 2 do
    read[#read + 1] = found[i]
    read[#read + 1] = found[i + 1]
    read[#read + 1] = redis.call('HGET', KEYS[1], found[i]) or ''
  end
  return { redis.call('HLEN', KEYS[1]), read }
`)
const readSchema = z.tuple([z.number(), z.array(z.string())])

/** A line with the name of its place: `slack/C1`, `Console`, or the name of a client's token. */
export type ListedLine = StoredLine & { readonly place: string }

/** A copy of the list of runs in memory. Each reading takes over what has changed, so filters need no further request. */
export class RunMirror {
  readonly #redis: RedisClient
  readonly #now: () => number
  readonly #tokens: Pick<Tokens, 'find'>
  /** By the ids of the clients' tokens. */
  readonly #names = new Map<string, string>()
  readonly #lines = new Map<string, StoredLine>()
  readonly #changedAt = new Map<string, number>()
  #latest = 0
  #sorted: readonly StoredLine[] | undefined
  #reading: Promise<void> | undefined

  /** @param deps.now Unix time in milliseconds */
  constructor(deps: { readonly redis: RedisClient; readonly now: () => number; readonly tokens: Pick<Tokens, 'find'> }) {
    this.#tokens = deps.tokens
    this.#redis = deps.redis
    this.#now = deps.now
  }

  /**
   * Returns all runs, the latest first, and the time of the latest change.
   * @throws StoreError
   */
  async read(signal: AbortSignal): Promise<{ readonly lines: readonly ListedLine[]; readonly at: number }> {
    await this.#takeOver(signal)
    this.#sorted ??= [...this.#lines.values()].sort((one, other) => other.at - one.at || (one.id < other.id ? 1 : -1))
    return { lines: this.#sorted.map(line => this.#present(line)), at: this.#latest }
  }

  /** Returns the runs that have changed since a time that `read` or this has returned. @throws StoreError */
  async changesSince(at: number, signal: AbortSignal): Promise<{ readonly lines: readonly ListedLine[]; readonly at: number }> {
    const { lines, at: latest } = await this.read(signal)
    return { lines: lines.filter(({ id }) => (this.#changedAt.get(id) ?? 0) > at), at: latest }
  }

  /** @throws StoreError */
  async find(id: string, signal: AbortSignal): Promise<ListedLine | undefined> {
    await this.#takeOver(signal)
    const line = this.#lines.get(id)
    return line && this.#present(line)
  }

  /** Callers at the same time share one reading. It goes on for the others if one of them leaves. */
  async #takeOver(signal: AbortSignal): Promise<void> {
    this.#reading ??= this.#readChanges(AbortSignal.timeout(CONSOLE_LIMITS.requestMs)).finally(() => {
      this.#reading = undefined
    })
    await abortable(this.#reading, signal)
  }

  async #readChanges(signal: AbortSignal): Promise<void> {
    const page = CONSOLE_LIMITS.changesPage
    for (;;) {
      const reading = runScript(this.#redis, READ, [LINES, CHANGES], [this.#latest, page])
      const [count, read] = readSchema.parse(await abortable(reading, signal))
      await inSlices(this.#taken(read))
      if (read.length > 0) this.#sorted = undefined
      await this.#learnNames(signal)
      if (read.length === 3 * page) continue
      // Lines that have left the list, such as those of a forgotten person, leave the copy too.
      if (count !== this.#lines.size) await this.#removeMissing(signal)
      return
    }
  }

  *#taken(read: readonly string[]): Generator<void> {
    for (let index = 0; index + 2 < read.length; index += 3) {
      const [id = '', at, signed = ''] = read.slice(index, index + 3)
      this.#latest = Number(at)
      const line = openLine(this.#redis.stateKey, id, signed)
      if (line === undefined) continue
      this.#lines.set(id, line)
      this.#changedAt.set(id, this.#latest)
      yield
    }
  }

  async #learnNames(signal: AbortSignal): Promise<void> {
    for (const line of this.#lines.values())
      if (isOfClient(line) && !this.#names.has(line.channel))
        this.#names.set(line.channel, (await this.#tokens.find(line.channel, signal))?.name ?? 'HTTP')
  }

  async #removeMissing(signal: AbortSignal): Promise<void> {
    const standing = new Set(await callRedis(this.#redis.hkeys(LINES), signal))
    for (const id of this.#lines.keys()) {
      if (standing.has(id)) continue
      this.#lines.delete(id)
      this.#changedAt.delete(id)
    }
    this.#sorted = undefined
  }

  /** A process that was killed may not have ended its line. */
  #present(line: StoredLine): ListedLine {
    const isLost = line.outcome === 'running' && this.#now() - line.at > CONSOLE_LIMITS.lostMs
    const { platform, channel } = line
    const chat = channel === '' ? platform : `${platform}/${channel}`
    const place = platform !== HTTP_PLATFORM ? chat : isOfClient(line) ? (this.#names.get(channel) ?? 'HTTP') : 'Console'
    return { ...line, place, ...(isLost && { outcome: 'failed', error: 'lost' }) }
  }
}

/** At the console, people ask in their own names. A client of HTTP asks in the name of its token. */
function isOfClient({ platform, person }: StoredLine): boolean {
  return platform === HTTP_PLATFORM && person.startsWith(`${HTTP_PLATFORM}/`)
}
