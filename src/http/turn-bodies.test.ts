import { describe, expect, it } from '@jest/globals'
import { packJson } from '../history/packed-json.ts'
import { HTTP_LIMITS } from './limits.ts'
import { turnWriter } from './turn-bodies.ts'
import type { StoredTurn } from './turn-client.ts'

const turn = (packed: string | null): StoredTurn => ({
  ...TURN,
  answer: null,
  stored: packed === null ? null : { key: packed, length: packed.length },
})
const bodiesOf = () => turnWriter({ packed: async stored => stored?.key ?? null })
const TURN = {
  id: 'run_0000000000000000',
  thread: 't',
  status: 'answered' as const,
  text: 'How many?',
  run_id: 'run_0000000000000000',
  error: null,
}
/** Random text, so that it stays large when it is compressed. */
const large = { answer: 'ö', rows: Array.from({ length: 40_000 }, () => [Math.random(), '🧶']) }
const reader = (owner: string, signal = new AbortController().signal) => ({ owner, signal })

describe('turnWriter', () => {
  it('writes the whole JSON in pieces', async () => {
    const pieces: Uint8Array[] = []
    const packed = (await packJson(large)) ?? null
    expect(packed?.length).toBeGreaterThan(HTTP_LIMITS.smallResult)
    await bodiesOf()(turn(packed), async piece => void pieces.push(piece), reader('a'))
    expect(JSON.parse(Buffer.concat(pieces).toString())).toEqual({ ...TURN, result: large })
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThanOrEqual(HTTP_LIMITS.pieceBytes)
  })

  it('reads few large results at a time, fewer of one token, and the next one when a reader leaves', async () => {
    const bodies = bodiesOf()
    const packed = (await packJson(large)) ?? null
    const reading: string[] = []
    const leave = new Map<string, AbortController>()
    const read = (name: string, token: string) => {
      const left = new AbortController()
      leave.set(name, left)
      const never = async () => {
        if (!reading.includes(name)) reading.push(name)
        await new Promise(() => {})
      }
      const ended = bodies(turn(packed), never, reader(token, left.signal)).catch(() => name)
      return ended
    }
    const all = [read('a1', 'a'), read('a2', 'a'), read('a3', 'a'), read('b1', 'b'), read('c1', 'c'), read('d1', 'd')]
    const until = async (count: number) => {
      while (reading.length < count) await new Promise(resolve => setImmediate(resolve))
    }
    await until(HTTP_LIMITS.largeResults)
    expect([...reading].sort()).toEqual(['a1', 'a2', 'b1', 'c1'])
    // A small result needs no place.
    await bodies(turn(null), async () => {}, reader('a'))
    leave.get('b1')?.abort()
    await until(5)
    expect(reading.at(-1)).toBe('d1')
    leave.get('a1')?.abort()
    await until(6)
    expect(reading.at(-1)).toBe('a3')
    for (const left of leave.values()) left.abort()
    expect((await Promise.all(all)).sort()).toEqual(['a1', 'a2', 'a3', 'b1', 'c1', 'd1'])
  })
})
