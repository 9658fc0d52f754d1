import { describe, expect, it } from '@jest/globals'
import { runCheck } from './check.ts'

const options = { part: 'part', timeoutMs: 10_000, advice: 'see to it' }
const signal = new AbortController().signal

describe('runCheck', () => {
  it('keeps results from before an error', async () => {
    const results = await runCheck(
      options,
      async report => {
        report({ check: 'first', state: 'ok', found: 'fine' })
        throw new Error('the rest broke')
      },
      signal,
    )
    expect(results).toEqual([
      { part: 'part', check: 'first', state: 'ok', found: 'fine' },
      { part: 'part', check: 'answer', state: 'failed', found: 'the rest broke', advice: 'see to it' },
    ])
  })

  it('abandons a check that ignores its time limit', async () => {
    const results = await runCheck({ ...options, timeoutMs: 20 }, () => new Promise(() => {}), signal)
    expect(results).toEqual([expect.objectContaining({ state: 'failed', found: 'no result within 0.02 s' })])
  })

  it('aborts a check after its time, and ignores later results', async () => {
    let late: (() => void) | undefined
    const results = await runCheck(
      { ...options, timeoutMs: 20 },
      (report, ended) =>
        new Promise((_, reject) => {
          ended.addEventListener('abort', () => reject(new Error('stopped')), { once: true })
          late = () => report({ check: 'late', state: 'ok', found: 'too late' })
        }),
      signal,
    )
    late?.()
    expect(results.map(result => result.found)).toEqual(['no result within 0.02 s'])
  })

  it('ends with the caller', async () => {
    const caller = new AbortController()
    const running = runCheck(options, () => new Promise(() => {}), caller.signal)
    caller.abort(new Error('stop'))
    await expect(running).rejects.toThrow('stop')
  })

  it('does not wait for a caller that has already left', async () => {
    await expect(runCheck(options, () => new Promise(() => {}), AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone')
  })
})
