import { describe, expect, it } from '@jest/globals'
import { z } from 'zod'
import { createMemoryStateStore } from '../store/memory-state-store.ts'
import type { StateStore } from '../store/state-store.ts'
import { NotNeededError } from './not-needed-error.ts'
import { RunLog } from './run-log.ts'
import { readRunLog } from './run-log-entry.ts'

const { signal } = new AbortController()
const value = z.object({ answer: z.number() })

function open(store = createMemoryStateStore({ now: Date.now })) {
  return RunLog.open('run_1', { store, now: Date.now }, signal)
}

describe('RunLog', () => {
  it('gives a resumed run its finished steps, and runs the others', async () => {
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

  it("reports a step's error even when its trace cannot be written", async () => {
    const store = { ...createMemoryStateStore({ now: Date.now }), append: () => Promise.reject(new Error('the store is full')) }
    const failing = (await open(store)).step({ step: 'classify' }, {}, value, signal, () => Promise.reject(new Error('no model')))
    await expect(failing).rejects.toThrow('no model')
  })

  it('runs a step again when its input changes', async () => {
    const log = await open()
    await log.step({ step: 'generate', query: 'Q1' }, { question: 'a' }, value, signal, async () => ({ answer: 1 }))
    expect(
      await log.step({ step: 'generate', query: 'Q1' }, { question: 'b' }, value, signal, async () => ({ answer: 2 })),
    ).toEqual({ answer: 2 })
  })

  it('records what a trace shows, for failed steps too', async () => {
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

  describe('branched', () => {
    const begin = async () => {
      const store = createMemoryStateStore({ now: Date.now })
      const log = await open(store)
      const branch = log.branch()
      await branch.log.step({ step: 'decompose' }, {}, value, signal, async () => ({ answer: 1 }))
      return { store, log, branch }
    }
    const traced = async (store: StateStore) =>
      (await readRunLog('run_1', store, signal)).map(({ step, error, cancelled }) => [step, error, cancelled])

    it('traces its past and future entries once it is kept', async () => {
      const { store, branch } = await begin()
      expect(await traced(store)).toEqual([])
      await branch.keep()
      await branch.log.trace({ step: 'validate' }, {}, signal, async () => 1)
      expect(await traced(store)).toEqual([
        ['decompose', null, undefined],
        ['validate', null, undefined],
      ])
    })

    it('never fails after it is kept, even if the store does not take its entries in time', async () => {
      const store = createMemoryStateStore({ now: Date.now })
      const log = await open({ ...store, append: (key, ...rest) => store.append(key, ...rest).then(() => refusal?.()) })
      let refusal: (() => never) | undefined
      const branch = log.branch()
      await branch.log.step({ step: 'decompose' }, {}, value, signal, async () => ({ answer: 1 }))
      refusal = () => {
        throw new DOMException('The operation was aborted due to timeout', 'TimeoutError')
      }
      await branch.keep()
      expect(log.entries().map(({ step }) => step)).toEqual(['decompose'])
    })

    it('gives the cause in each of its entries once it is dropped', async () => {
      const { store, branch, log } = await begin()
      const own = new AbortController()
      const running = branch.log.step({ step: 'generate' }, {}, value, own.signal, () => {
        own.abort(new NotNeededError('no data question'))
        return Promise.reject(new Error('cancelled'))
      })
      await branch.drop('no data question')
      await expect(running).rejects.toThrow('cancelled')
      expect(await traced(store)).toEqual([
        ['decompose', null, 'no data question'],
        ['generate', null, 'no data question'],
      ])
      expect(log.isFinished({ step: 'decompose' }, {})).toBe(false)
      expect((await open(store)).isFinished({ step: 'decompose' }, {})).toBe(true)
    })
  })

  describe('with a large value', () => {
    const rows = z.object({ rows: z.array(z.array(z.string().nullable())), doubt: z.string().optional() })
    const large = (characters: number) => ({
      rows: Array.from({ length: 1_000 }, (_, row) => [`${row} "\\\n🔑 é`, null, 'x'.repeat(characters / 1_000)]),
      doubt: undefined,
    })
    const finish = async (given: z.infer<typeof rows>, store = createMemoryStateStore({ now: Date.now })) => {
      await (await open(store)).step({ step: 'execute' }, {}, rows, signal, async () => given)
      return store
    }

    it.each([5_000_000, 10_000_000])('of %i characters gives it to a resumed run', async characters => {
      const given = large(characters)
      const store = await finish(given)
      const again = await (await open(store)).step({ step: 'execute' }, {}, rows, signal, () =>
        Promise.reject(new Error('again')),
      )
      expect(again).toEqual(given)
    })

    it('runs the step again if the value is too large to keep, or broken', async () => {
      const store = await finish(large(91_000_000))
      expect((await open(store)).isFinished({ step: 'execute' }, {})).toBe(false)
      const broken = await finish(large(5_000_000))
      const [stored = ''] = await broken.list('run:{run_1}:checkpoints', signal)
      await broken.delete('run:{run_1}:checkpoints', signal)
      await broken.append('run:{run_1}:checkpoints', stored.replace(/"packed":".{20}/, '"packed":"AAAA'), 60, signal)
      expect((await open(broken)).isFinished({ step: 'execute' }, {})).toBe(false)
    })
  })

  it('skips entries that cannot be read', async () => {
    const store = createMemoryStateStore({ now: Date.now })
    await store.append('run:{run_1}:log', 'not json', 60, signal)
    const log = await open(store)
    expect(await log.step({ step: 'classify' }, {}, value, signal, async () => ({ answer: 5 }))).toEqual({ answer: 5 })
  })
})
