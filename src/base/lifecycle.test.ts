import { describe, expect, it } from '@jest/globals'
import { endedAfter, Resources, shutdownSignal } from './lifecycle.ts'
import { createLogger } from './logger.ts'

const silent = createLogger({ level: 'silent' })

describe('Resources', () => {
  it('closes in reverse order, one by one', async () => {
    const resources = new Resources()
    const events: string[] = []
    const open = (name: string) =>
      resources.add(name, name, async value => {
        events.push(`closing ${value}`)
        await Promise.resolve()
        events.push(`closed ${value}`)
      })
    expect(open('redis')).toBe('redis')
    open('queue')
    await resources.close(silent)
    expect(events).toEqual(['closing queue', 'closed queue', 'closing redis', 'closed redis'])
  })

  it('closes the rest after a failure, and logs the failed one', async () => {
    const lines: string[] = []
    const logger = createLogger({ level: 'warn', destination: { write: line => void lines.push(line) } })
    const resources = new Resources()
    const closed: string[] = []
    resources.add('first', 'first', value => void closed.push(value))
    resources.add('second', 'second', () => Promise.reject(new Error('stuck')))
    resources.add('third', 'third', () => {
      throw new Error('stuck at once')
    })
    await resources.close(logger)
    expect(closed).toEqual(['first'])
    expect(lines.map(line => JSON.parse(line).part)).toEqual(['third', 'second'])
  })

  it('abandons and logs one that is too slow, and closes the rest', async () => {
    const lines: string[] = []
    const logger = createLogger({ level: 'warn', destination: { write: line => void lines.push(line) } })
    const resources = new Resources()
    const closed: string[] = []
    resources.add('first', 'first', value => void closed.push(value))
    resources.add('second', 'second', () => new Promise(() => undefined), 20)
    await resources.close(logger)
    expect(closed).toEqual(['first'])
    expect(lines.map(line => JSON.parse(line))).toEqual([
      expect.objectContaining({ part: 'second', limitMs: 20, msg: 'a part did not close in time; it is left' }),
    ])
  })

  it('closes everything once, including additions during the close', async () => {
    const resources = new Resources()
    const closed: string[] = []
    resources.add('outer', 'outer', value => {
      closed.push(value)
      resources.add('late', 'late', late => void closed.push(late))
    })
    await Promise.all([resources.close(silent), resources.close(silent)])
    await resources.close(silent)
    expect(closed).toEqual(['outer', 'late'])
  })
})

describe('shutdownSignal', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)('is aborted by %s, and stops listening after dispose', name => {
    const before = process.listenerCount(name)
    const { signal, dispose } = shutdownSignal()
    expect(process.listenerCount(name)).toBe(before + 1)
    expect(signal.aborted).toBe(false)
    process.emit(name, name)
    expect([signal.aborted, signal.reason]).toEqual([true, name])
    dispose()
    expect(process.listenerCount('SIGTERM') + process.listenerCount('SIGINT')).toBe(before * 2)
  })
})

describe('endedAfter', () => {
  const never = new Promise<number>(() => undefined)

  it("returns the work's result, even if the work ends after the abort", async () => {
    const stopping = new AbortController()
    expect(await endedAfter(stopping.signal, 0, Promise.resolve(7))).toBe(7)
    const late = new Promise<number>(resolve => stopping.signal.addEventListener('abort', () => resolve(8)))
    const ended = endedAfter(stopping.signal, 60_000, late)
    stopping.abort('SIGTERM')
    expect(await ended).toBe(8)
  })

  it("throws the abort's reason if the work does not end in time", async () => {
    const stopping = new AbortController()
    const ended = endedAfter(stopping.signal, 10, never)
    stopping.abort('SIGTERM')
    await expect(ended).rejects.toBe('SIGTERM')
    await expect(endedAfter(stopping.signal, 10, never)).rejects.toBe('SIGTERM')
  })

  it("throws the work's error", async () => {
    await expect(endedAfter(new AbortController().signal, 10, Promise.reject(new Error('broken')))).rejects.toThrow('broken')
  })
})
