import { describe, expect, it } from '@jest/globals'
import { Resources, shutdownSignal } from './lifecycle.ts'
import { createLogger } from './logger.ts'

const silent = createLogger({ level: 'silent' })

describe('Resources', () => {
  it('closes last in, first out, one after another', async () => {
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

  it('closes the rest when one fails, and names that one in the log', async () => {
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

  it('closes everything once, also what is added while closing', async () => {
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
  it.each(['SIGTERM', 'SIGINT'] as const)('is aborted by %s, and listens no more after dispose', name => {
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
