import { describe, expect, it } from '@jest/globals'
import { z } from 'zod'
import { createMemoryStateStore } from '../store/memory-state-store.ts'
import { RunLog, readRunLog } from './run-log.ts'

const { signal } = new AbortController()
const value = z.object({ answer: z.number() })

function open(store = createMemoryStateStore({ now: Date.now })) {
  return RunLog.open('run_1', { store, now: Date.now }, signal)
}

describe('RunLog', () => {
  it('hands a resumed run what was finished, and runs what was not', async () => {
    const store = createMemoryStateStore({ now: Date.now })
    const before = await open(store)
    await before.step({ step: 'classify' }, { q: 1 }, value, signal, async () => ({ answer: 1 }))
    await expect(
      before.step({ step: 'generate', query: 'Q1' }, {}, value, signal, () => Promise.reject(new Error('killed'))),
    ).rejects.toThrow('killed')

    const after = await open(store)
    const calls: string[] = []
    const work = (name: string) => async () => {
      calls.push(name)
      return { answer: 2 }
    }
    expect(await after.step({ step: 'classify' }, { q: 1 }, value, signal, work('classify'))).toEqual({ answer: 1 })
    expect(await after.step({ step: 'generate', query: 'Q1' }, {}, value, signal, work('generate'))).toEqual({ answer: 2 })
    expect(calls).toEqual(['generate'])
  })

  it('tells what went wrong in a stage also when its trace cannot be written', async () => {
    const store = { ...createMemoryStateStore({ now: Date.now }), append: () => Promise.reject(new Error('the store is full')) }
    const failing = (await open(store)).step({ step: 'classify' }, {}, value, signal, () => Promise.reject(new Error('no model')))
    await expect(failing).rejects.toThrow('no model')
  })

  it('runs a stage again when its input is another one', async () => {
    const log = await open()
    await log.step({ step: 'generate', query: 'Q1' }, { question: 'a' }, value, signal, async () => ({ answer: 1 }))
    expect(
      await log.step({ step: 'generate', query: 'Q1' }, { question: 'b' }, value, signal, async () => ({ answer: 2 })),
    ).toEqual({ answer: 2 })
  })

  it('records what a trace shows, of failed stages too', async () => {
    const store = createMemoryStateStore({ now: Date.now })
    const log = await open(store)
    await log.step({ step: 'generate', query: 'Q2', attempt: 3 }, { question: 'a' }, value, signal, async trace => {
      trace.usage({ model: 'm', tokens_in: 10, tokens_out: 2 })
      return { answer: 1 }
    })
    await expect(log.trace({ step: 'schema' }, {}, signal, () => Promise.reject(new Error('away')))).rejects.toThrow('away')
    expect(await readRunLog('run_1', store, signal)).toMatchObject([
      {
        step: 'generate',
        query: 'Q2',
        attempt: 3,
        error: null,
        input_keys: ['question'],
        output_keys: ['answer'],
        usage: { tokens_in: 10 },
      },
      { step: 'schema', error: 'away' },
    ])
  })

  it('passes over entries that cannot be read', async () => {
    const store = createMemoryStateStore({ now: Date.now })
    await store.append('run:{run_1}:log', 'not json', 60, signal)
    const log = await open(store)
    expect(await log.step({ step: 'classify' }, {}, value, signal, async () => ({ answer: 5 }))).toEqual({ answer: 5 })
  })
})
