import { parseJson } from '../base/text/parse-json.ts'
import { callRedis } from '../store/redis/call-redis.ts'
import type { RedisClient } from '../store/redis/client.ts'
import { redisScript, runScript } from '../store/redis/script.ts'
import { openSigned, signText } from '../store/signed-text.ts'
import { AUDIT_LIMITS } from './limits.ts'
import { type AuditLine, auditLineSchema } from './line.ts'
import type { AuditFilter, AuditStore } from './store.ts'

const STREAM = 'clew:{audit}:lines'
const REWRITTEN = 'clew:{audit}:lines:rewritten'

const APPEND = redisScript(`
  local most, oldest = ARGV[1], ARGV[2]
  for i = 3, #ARGV do redis.call('XADD', KEYS[1], 'MAXLEN', '~', most, '*', 'line', ARGV[i]) end
  redis.call('XTRIM', KEYS[1], 'MINID', '~', oldest)
`)

const COPY = redisScript(`
  for i = 1, #ARGV, 2 do redis.call('XADD', KEYS[1], ARGV[i], 'line', ARGV[i + 1]) end
`)

/**
 * Copies the few lines that have come in the meantime, and puts the rewritten stream in the place of the old one. Does nothing if
 * these lines are many, or if one of them is of the person; then they must be rewritten first.
 */
const REPLACE = redisScript(`
  local last, person, most = ARGV[1], ARGV[2], tonumber(ARGV[3])
  local tail = redis.call('XRANGE', KEYS[1], last, '+', 'COUNT', most + 1)
  if #tail > most then return 0 end
  for _, entry in ipairs(tail) do
    if string.find(entry[2][2], person, 1, true) then return 0 end
  end
  for _, entry in ipairs(tail) do redis.call('XADD', KEYS[2], entry[1], 'line', entry[2][2]) end
  redis.call('RENAME', KEYS[2], KEYS[1])
  return 1
`)

interface RedisAuditStoreDeps {
  readonly redis: RedisClient
  readonly retentionMs: number
  /** Unix time in milliseconds. */
  readonly now: () => number
  readonly close: () => Promise<void>
}

/** Keeps audit lines in a stream of Redis, for an installation without a table for them. Each line is signed. */
export class RedisAuditStore implements AuditStore {
  readonly description = `stream ${STREAM} of Redis, the latest ${AUDIT_LIMITS.streamLines.toLocaleString('en')} lines`
  readonly #deps: RedisAuditStoreDeps

  constructor(deps: RedisAuditStoreDeps) {
    this.#deps = deps
  }

  async append(lines: readonly AuditLine[], signal: AbortSignal): Promise<void> {
    const { redis, retentionMs, now } = this.#deps
    const written = lines.map(line => this.#write(line))
    await callRedis(runScript(redis, APPEND, [STREAM], [AUDIT_LIMITS.streamLines, now() - retentionMs, ...written]), signal)
  }

  async *read({ person, from, to }: AuditFilter, signal: AbortSignal): AsyncIterable<AuditLine> {
    // A line is written at its time or later. `id` begins with the time of the writing.
    for await (const { line } of this.#entries(String(from), signal)) {
      if (line === undefined || line.at < from || line.at > to) continue
      if (person === undefined || line.person === person) yield line
    }
  }

  /** Writes the stream anew, because Redis does not remove the bytes of single deleted entries from its files. */
  async forget(person: string, name: string, signal: AbortSignal): Promise<number> {
    const { redis } = this.#deps
    const forgotten = new Set<string>()
    await callRedis(redis.del(REWRITTEN), signal)
    for (let last = '-'; ; ) {
      let copied: string[] = []
      for await (const { id, line, written } of this.#entries(last, signal)) {
        last = `(${id}`
        if (line?.person === person) forgotten.add(line.id)
        copied.push(id, line?.person === person ? this.#write({ ...line, person: name, channel: '' }) : written)
        if (copied.length < 2 * AUDIT_LIMITS.batchLines) continue
        await callRedis(runScript(redis, COPY, [REWRITTEN], copied), signal)
        copied = []
      }
      if (copied.length > 0) await callRedis(runScript(redis, COPY, [REWRITTEN], copied), signal)
      if (forgotten.size === 0) break
      const given = [last, JSON.stringify(person), AUDIT_LIMITS.batchLines]
      if ((await callRedis(runScript(redis, REPLACE, [STREAM, REWRITTEN], given), signal)) === 1) break
    }
    await callRedis(redis.del(REWRITTEN), signal)
    return forgotten.size
  }

  close(): Promise<void> {
    return this.#deps.close()
  }

  #write(line: AuditLine): string {
    return signText(this.#deps.redis.stateKey, STREAM, JSON.stringify(withoutEmpty(line)))
  }

  /** Reads entries from an id on. `line` is undefined for an entry that Clew did not write. */
  async *#entries(
    from: string,
    signal: AbortSignal,
  ): AsyncIterable<{ readonly id: string; readonly line: AuditLine | undefined; readonly written: string }> {
    const { redis } = this.#deps
    for (let next = from; ; ) {
      const page = await callRedis(redis.xrange(STREAM, next, '+', 'COUNT', AUDIT_LIMITS.pageLines), signal)
      for (const [id, [, written = '']] of page) {
        const { data } = auditLineSchema.safeParse(parseJson(openSigned(redis.stateKey, STREAM, written) ?? ''))
        yield { id, line: data, written }
      }
      const last = page.at(-1)
      // Whoever writes all the time must not keep a reader busy for good.
      if (last === undefined || page.length < AUDIT_LIMITS.pageLines) return
      next = `(${last[0]}`
    }
  }
}

function withoutEmpty(line: AuditLine): Partial<AuditLine> {
  return Object.fromEntries(Object.entries(line).filter(([, value]) => value !== '' && value !== 0 && value !== null))
}
