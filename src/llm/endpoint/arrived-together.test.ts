import { PassThrough } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, it, jest } from '@jest/globals'
import { LLM_LIMITS } from '../limits.ts'
import { arrivedTogether } from './arrived-together.ts'

const bytes = (text: string) => new TextEncoder().encode(text)
const textOf = (group: readonly Uint8Array[] | undefined = []) => group.map(each => new TextDecoder().decode(each)).join('')

describe('arrivedTogether', () => {
  it('groups bytes that arrive together, and waits for nothing else', async () => {
    const source = new PassThrough()
    const groups = arrivedTogether(source)
    const first = groups.next()
    for (const each of 'abc') source.write(bytes(each))
    expect(textOf((await first).value ?? undefined)).toBe('abc')
    const second = groups.next()
    for (const each of 'de') source.write(bytes(each))
    expect(textOf((await second).value ?? undefined)).toBe('de')
    source.end()
    expect(await groups.next()).toEqual({ done: true, value: undefined })
  })

  it('groups the bytes of one frame, which is longer with more streams and ends with the stream', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask', 'performance'] })
    try {
      const others = Array.from({ length: LLM_LIMITS.frameMs }, () => new PassThrough())
      const waiting = others.map(other => arrivedTogether(other).next())
      const source = new PassThrough()
      const groups = arrivedTogether(source)
      source.write(bytes('a'))
      expect(textOf((await groups.next()).value ?? undefined)).toBe('a')
      const writeAll = async (text: string) => {
        for (const each of text) {
          source.write(bytes(each))
          await nextTurn()
        }
      }
      const second = groups.next()
      await writeAll('bcd')
      jest.advanceTimersByTime(LLM_LIMITS.frameMs)
      expect(textOf((await second).value ?? undefined)).toBe('bcd')
      const third = groups.next()
      await writeAll('ef')
      source.end()
      expect(textOf((await third).value ?? undefined)).toBe('ef')
      for (const other of others) other.end()
      await Promise.all(waiting)
    } finally {
      jest.useRealTimers()
    }
  })

  it('loses nothing and keeps the order, however slow its reader is, and pauses the stream meanwhile', async () => {
    const source = new PassThrough()
    const words = Array.from({ length: 50 }, (_, at) => `${at} `.padEnd(20_000, '.'))
    const groups = arrivedTogether(source)
    for (const word of words) source.write(bytes(word))
    source.end()
    let read = ''
    for await (const group of groups) {
      expect(group.reduce((sum, each) => sum + each.length, 0)).toBeLessThan(LLM_LIMITS.waitingBytes + 100_000)
      for (let turn = 0; turn < 5; turn += 1) await nextTurn()
      read += textOf(group)
    }
    expect(read).toBe(words.join(''))
  })

  it('yields nothing of an empty stream', async () => {
    const source = new PassThrough()
    source.end()
    expect(await arrivedTogether(source).next()).toEqual({ done: true, value: undefined })
  })

  it('yields the bytes before a fault', async () => {
    const source = new PassThrough()
    const groups = arrivedTogether(source)
    const first = groups.next()
    source.once('data', () => source.destroy(new Error('no connection')))
    source.write(bytes('abc'))
    expect(textOf((await first).value ?? undefined)).toBe('abc')
    await expect(groups.next()).rejects.toThrow('no connection')
  })
})
