import { z } from 'zod'
import { parseJson } from '../base/text/parse-json.ts'
import { callRedis } from '../store/redis/call-redis.ts'
import type { RedisClient } from '../store/redis/client.ts'
import { redisScript, runScript } from '../store/redis/script.ts'
import { openSigned, signText } from '../store/signed-text.ts'
import { AUDIT_LIMITS } from './limits.ts'
import { type AuditLine, auditLineSchema } from './line.ts'
import type { AuditFilter, AuditStore, LatestLines } from './store.ts'

const STREAM = 'clew:{audit}:lines'
const REWRITTEN = 'clew:{audit}:lines:rewritten'

const APPEND = redisScript(`
  for i = 3, #ARGV do redis.call('XADD', KEYS[1], 'MAXLEN', '~', ARGV[1], '*', 'line', ARGV[i]) end
  redis.call('XTRIM', KEYS[1], 'MINID', '~', ARGV[2])
`)

/**
 * Puts the rewritten stream in the place of the old one, with the few lines that have come in the meantime. Does nothing if these
 * are many, or if one of them is of the person; then they must be rewritten first.
 */
const REPLACE = redisScript(`
  local last, person, most = ARGV[1], ARGV[2], tonumber(ARGV[3])
  local tail = redis.call('XRANGE', KEYS[1], last, '+', 'COUNT', most + 1)
  if #tail > most then return 0 end
  for _, entry in ipairs(tail) do
    if string.find(entry[2][2], person, 1, true) then return 0 end
  end
  for _, entry in ipairs(tail) do redis.call('XADD', KEYS[2], entry[1], 'line', entry[2][2]) end
  if redis.call('EXISTS', KEYS[2]) == 1 then redis.call('RENAME', KEYS[2], KEYS[1]) end
  return 1
`)

/** Reads a page of lines, the newest first. Returns its size, its last id, and the ids and texts of lines with all given texts. */
const LATEST = redisScript(`
  local page = redis.call('XREVRANGE', KEYS[1], ARGV[1], '-', 'COUNT', ARGV[2])
  local found = {}
  for _, entry in ipairs(page) do
    local is_meant = true
    for i = 3, #ARGV do is_meant = is_meant and string.find(entry[2][2], ARGV[i], 1, true) end
    if is_meant then
      found[#found + 1] = entry[1]
      found[#found + 1] = entry[2][2]
    end
  end
  return { #page, #page > 0 and page[#page][1] or '', found }
`)
const latestSchema = z.tuple([z.number(), z.string(), z.array(z.string())])

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
  readonly close: () => Promise<void>
  readonly #deps: RedisAuditStoreDeps

  constructor(deps: RedisAuditStoreDeps) {
    this.#deps = deps
    this.close = deps.close
  }

  async append(lines: readonly AuditLine[], signal: AbortSignal): Promise<void> {
    const { redis, retentionMs, now } = this.#deps
    const given = [AUDIT_LIMITS.streamLines, now() - retentionMs, ...lines.map(line => this.#write(line))]
    await callRedis(runScript(redis, APPEND, [STREAM], given), signal)
  }

  async *read({ person, from, to }: AuditFilter, signal: AbortSignal): AsyncIterable<AuditLine> {
    const found: AuditLine[] = []
    for await (const page of this.#pages('-', signal)) for (const { line } of page) found.push(line)
    const isMeant = (line: AuditLine) => line.at >= from && line.at <= to && (person === undefined || line.person === person)
    // After an outage, lines are not in the order of time. Their number is bounded.
    yield* found.filter(isMeant).sort((one, other) => one.at - other.at)
  }

  async latest({ person, kind, from, to }: AuditFilter, cursor: string | undefined, signal: AbortSignal): Promise<LatestLines> {
    const asked = Object.entries({ person, kind }).flatMap(([key, value]) => (value ? [`"${key}":${JSON.stringify(value)}`] : []))
    const lines: AuditLine[] = []
    let next = cursor === undefined ? '+' : `(${cursor}`
    for (let looked = 0; looked < AUDIT_LIMITS.lookedAt; looked += AUDIT_LIMITS.pageLines) {
      // Few lines are meant, so Redis sends those only.
      const reading = runScript(this.#deps.redis, LATEST, [STREAM], [next, AUDIT_LIMITS.pageLines, ...asked])
      const [size, last, found] = latestSchema.parse(await callRedis(reading, signal))
      for (let index = 0; index < found.length; index += 2) {
        const line = this.#read(found[index + 1] ?? '')
        if (line !== undefined && line.at >= from && line.at <= to) lines.push(line)
        if (lines.length === AUDIT_LIMITS.latestLines) return { lines, next: found[index] }
      }
      // A line is written after it has come into being.
      if (size < AUDIT_LIMITS.pageLines || Number.parseInt(last, 10) < from) return { lines, next: undefined }
      next = `(${last}`
    }
    // Whoever wants more asks again, so that a rare line keeps neither Redis nor its reader busy for long.
    return { lines, next: next.slice(1) }
  }

  /** Writes the stream anew, because Redis does not remove the bytes of a deleted entry from its files. */
  async forget(person: string, name: string, signal: AbortSignal): Promise<void> {
    const { redis } = this.#deps
    await callRedis(redis.del(REWRITTEN), signal)
    for (let last = '-'; ; ) {
      for await (const page of this.#pages(last, signal)) {
        const changed = page.map(({ id, line }) => ({
          id,
          text: this.#write(line.person === person ? { ...line, person: name, channel: '' } : line),
        }))
        await callRedis(Promise.all(changed.map(({ id, text }) => redis.xadd(REWRITTEN, id, 'line', text))), signal)
        last = `(${page.at(-1)?.id}`
      }
      const given = [last, JSON.stringify(person), AUDIT_LIMITS.batchLines]
      if ((await callRedis(runScript(redis, REPLACE, [STREAM, REWRITTEN], given), signal)) === 1) return
    }
  }

  #write(line: AuditLine): string {
    return signText(this.#deps.redis.stateKey, STREAM, JSON.stringify(withoutEmpty(line)))
  }

  #read(written: string): AuditLine | undefined {
    return auditLineSchema.safeParse(parseJson(openSigned(this.#deps.redis.stateKey, STREAM, written) ?? '')).data
  }

  /** Yields pages from an id on. Leaves out entries that Clew did not write. */
  async *#pages(from: string, signal: AbortSignal): AsyncIterable<readonly { readonly id: string; readonly line: AuditLine }[]> {
    const { redis } = this.#deps
    for (let next = from; ; ) {
      const page = await callRedis(redis.xrange(STREAM, next, '+', 'COUNT', AUDIT_LIMITS.pageLines), signal)
      const lines = page.flatMap(([id, [, written = '']]) => {
        const line = this.#read(written)
        return line === undefined ? [] : [{ id, line }]
      })
      if (lines.length > 0) yield lines
      // Whoever writes all the time must not keep a reader busy for good.
      if (page.length < AUDIT_LIMITS.pageLines) return
      next = `(${page.at(-1)?.[0]}`
    }
  }
}

function withoutEmpty(line: AuditLine): Partial<AuditLine> {
  return Object.fromEntries(Object.entries(line).filter(([, value]) => value !== '' && value !== 0 && value !== null))
}
