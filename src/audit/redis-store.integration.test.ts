import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { startTestRedis, type TestRedis } from '../../test/support/redis.ts'
import type { RedisClient } from '../store/redis/client.ts'
import { writeFilesAnew } from '../store/redis/write-files-anew.ts'
import { AUDIT_LIMITS } from './limits.ts'
import { type AuditLine, auditLineSchema } from './line.ts'
import { mergedByTime } from './merged-by-time.ts'
import { RedisAuditStore } from './redis-store.ts'
import type { AuditFilter } from './store.ts'

const STREAM = 'clew:{audit}:lines'
const ALL = { from: 0, to: Number.MAX_SAFE_INTEGER }
const signal = AbortSignal.timeout(120_000)

let server: TestRedis
let redis: RedisClient
let store: RedisAuditStore
beforeAll(async () => {
  server = await startTestRedis()
  redis = await server.connect()
  store = new RedisAuditStore({ redis, retentionMs: 3_600_000, now: Date.now, close: async () => undefined })
})
beforeEach(() => redis.flushall())
afterAll(() => server.close())

function line(id: string, person: string, more: Partial<AuditLine> = {}): AuditLine {
  return auditLineSchema.parse({ at: Date.now(), id, kind: 'query', person, channel: `of-${person}`, ...more })
}

async function read(from: AsyncIterable<AuditLine>): Promise<readonly AuditLine[]> {
  const lines: AuditLine[] = []
  for await (const each of from) lines.push(each)
  return lines
}

describe('RedisAuditStore', () => {
  it('returns lines as they were, by person and time, however many pages they take', async () => {
    const many = Array.from({ length: AUDIT_LIMITS.pageLines + 10 }, (_, index) => line(String(index), `slack/U${index % 2}`))
    for (let from = 0; from < many.length; from += 500) await store.append(many.slice(from, from + 500), signal)
    expect(await read(store.read(ALL, signal))).toEqual(many)
    const theirs = await read(store.read({ ...ALL, person: 'slack/U1' }, signal))
    expect(theirs).toEqual(many.filter(({ person }) => person === 'slack/U1'))
    expect(await read(store.read({ from: 0, to: Date.now() - 3_600_000 }, signal))).toEqual([])
  })

  it('returns the latest lines page by page, of one person and kind if asked', async () => {
    const lines = Array.from({ length: AUDIT_LIMITS.pageLines + 2 * AUDIT_LIMITS.latestLines + 3 }, (_, index) =>
      line(String(index), `slack/U${index % 2}`, { at: 1_000_000 + index, kind: index % 20 === 1 ? 'press' : 'query' }),
    )
    for (let from = 0; from < lines.length; from += 500) await store.append(lines.slice(from, from + 500), signal)
    async function ids(filter: Partial<AuditFilter>) {
      const found: string[] = []
      for (let cursor: string | undefined; ; ) {
        const page = await store.latest({ ...ALL, ...filter }, cursor, signal)
        expect(page.lines.length).toBeLessThanOrEqual(AUDIT_LIMITS.latestLines)
        found.push(...page.lines.map(({ id }) => id))
        if (page.next === undefined) return found
        cursor = page.next
      }
    }
    const idsOf = (isMeant: (each: AuditLine) => boolean) => lines.filter(isMeant).map(each => each.id)
    expect(await ids({})).toEqual(idsOf(() => true).toReversed())
    const presses = idsOf(({ kind, person }) => kind === 'press' && person === 'slack/U1').toReversed()
    expect(await ids({ kind: 'press', person: 'slack/U1' })).toEqual(presses)
    expect(await ids({ kind: 'press', person: 'slack/U0' })).toEqual([])
    expect(await ids({ from: 1_000_010, to: 1_000_012 })).toEqual(['12', '11', '10'])
  })

  it('looks at a bounded number of lines for a page, and goes on with the next one', async () => {
    await store.append([line('rare', 'slack/U1', { kind: 'draft' })], signal)
    const batch = Array.from({ length: AUDIT_LIMITS.lookedAt / 4 }, (_, index) => line(String(index), 'slack/U1'))
    for (let times = 0; times < 4; times += 1) await store.append(batch, signal)
    const { lines, next } = await store.latest({ ...ALL, kind: 'draft' }, undefined, signal)
    expect([lines, next]).toEqual([[], expect.stringMatching(/^\d+-\d+$/)])
    expect(await store.latest({ ...ALL, kind: 'draft' }, next, signal)).toMatchObject({
      lines: [{ id: 'rare' }],
      next: undefined,
    })
  })

  it('keeps a bounded number of lines', async () => {
    const batch = Array.from({ length: 10_000 }, (_, index) => line(String(index), 'slack/U1'))
    for (let times = 0; times < 11; times += 1) await store.append(batch, signal)
    const kept = await redis.xlen(STREAM)
    expect(kept).toBeGreaterThanOrEqual(AUDIT_LIMITS.streamLines)
    // Redis removes whole blocks of about 100 entries.
    expect(kept).toBeLessThan(AUDIT_LIMITS.streamLines + 200)
  })

  it('does not believe lines that Clew did not write', async () => {
    await store.append([line('a', 'slack/U1')], signal)
    await redis.xadd(STREAM, '*', 'line', `${'x'.repeat(43)} ${JSON.stringify(line('b', 'slack/U2'))}`)
    expect((await read(store.read(ALL, signal))).map(({ id }) => id)).toEqual(['a'])
  })

  it('forgets a person while others write, to the last byte in the files of Redis', async () => {
    const lines = Array.from({ length: 5_000 }, (_, index) =>
      line(`early-${index}`, index % 5 === 0 ? 'slack/UGONE' : 'slack/UHERE'),
    )
    for (let from = 0; from < lines.length; from += 500) await store.append(lines.slice(from, from + 500), signal)
    let isDone = false
    const writing = (async () => {
      let written = 0
      for (; !isDone || written === 0; written += 1) await store.append([line(`late-${written}`, 'slack/UHERE')], signal)
      return written
    })()
    await store.forget('slack/UGONE', 'forgotten/1', signal)
    isDone = true
    const late = await writing
    const kept = await read(store.read(ALL, signal))
    expect(kept.filter(({ person }) => person === 'forgotten/1')).toHaveLength(1_000)
    expect(kept.filter(({ person }) => person === 'slack/UHERE')).toHaveLength(4_000 + late)
    expect(kept.slice(0, 5_000).map(({ id }) => id)).toEqual(lines.map(({ id }) => id))
    expect(new Set(kept.filter(({ person }) => person === 'forgotten/1').map(({ channel }) => channel))).toEqual(new Set(['']))
    expect(await writeFilesAnew(redis, signal)).toBe('written')
    const entries = await readdir(server.directory, { recursive: true, withFileTypes: true })
    const files = await Promise.all(
      entries.filter(each => each.isFile()).map(each => readFile(join(each.parentPath, each.name)).catch(() => Buffer.alloc(0))),
    )
    expect(files.some(bytes => bytes.includes('UHERE'))).toBe(true)
    expect(files.some(bytes => bytes.includes('UGONE'))).toBe(false)
  })

  it('leaves the lines of others, and no other key', async () => {
    await store.append([line('a', 'slack/U1')], signal)
    await store.forget('slack/U2', 'forgotten/2', signal)
    expect((await read(store.read(ALL, signal))).map(({ person }) => person)).toEqual(['slack/U1'])
    expect(await redis.keys('*')).toEqual([STREAM])
    await redis.flushall()
    await store.forget('slack/U2', 'forgotten/2', signal)
    expect(await redis.keys('*')).toEqual([])
  })
})

describe('mergedByTime', () => {
  it('merges lists by time', async () => {
    const list = async function* (...times: number[]) {
      for (const at of times) yield line(String(at), '', { at })
    }
    const merged = await read(mergedByTime([list(1, 4, 6), list(), list(2, 3, 7)]))
    expect(merged.map(({ at }) => at)).toEqual([1, 2, 3, 4, 6, 7])
  })
})
