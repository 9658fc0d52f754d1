import { afterEach, describe, expect, it, jest } from '@jest/globals'
import { recordingLogger } from '../../test/support/queue-harness.ts'
import { asRun } from '../base/watched-work.ts'
import { AUDIT_LIMITS } from './limits.ts'
import type { AuditLine } from './line.ts'
import { AuditLog } from './log.ts'
import type { AuditStore } from './store.ts'

const signal = new AbortController().signal
const press = (action: string) => ({ kind: 'press', platform: 'slack', action, outcome: 'answered' }) as const
const { batchLines, flushMs, waitingLines } = AUDIT_LIMITS

afterEach(() => void jest.useRealTimers())

function world() {
  const batches: (readonly AuditLine[])[] = []
  const state = { isAway: false, isClosed: false, opened: 0, opening: Promise.resolve() }
  const store = {
    description: 'a list',
    append: async lines => {
      if (state.isAway) throw new Error('away')
      batches.push(lines)
    },
    read: async function* () {},
    latest: async () => ({ lines: [], next: undefined }),
    forget: async () => {},
    close: async () => {
      state.isClosed = true
    },
  } satisfies AuditStore
  const { logger, lines: logged } = recordingLogger()
  const open = async () => {
    state.opened += 1
    await state.opening
    return store
  }
  return { log: new AuditLog({ open, now: Date.now, logger }), batches, state, logged }
}

const subjects = (batches: readonly (readonly AuditLine[])[]) => batches.flat().map(({ subject }) => subject)

describe('AuditLog', () => {
  it('opens nothing before the first line, and writes lines in order within the time or once there are enough', async () => {
    jest.useFakeTimers()
    const { log, batches, state } = world()
    log.observe({ kind: 'cache', cache: 'people', isHit: true })
    await jest.advanceTimersByTimeAsync(flushMs)
    expect(state.opened).toBe(0)
    log.observe(press('first'))
    await jest.advanceTimersByTimeAsync(flushMs)
    expect(subjects(batches)).toEqual(['first'])
    for (let index = 0; index < batchLines; index += 1) log.observe(press(String(index)))
    await jest.advanceTimersByTimeAsync(0)
    expect(batches.map(({ length }) => length)).toEqual([1, batchLines])
    expect(subjects(batches).slice(1)).toEqual(Array.from({ length: batchLines }, (_, index) => String(index)))
  })

  it('keeps lines while the store is away, says so once, and writes them later', async () => {
    jest.useFakeTimers()
    const { log, batches, state, logged } = world()
    state.isAway = true
    for (const action of ['sql', 'csv']) {
      log.observe(press(action))
      await jest.advanceTimersByTimeAsync(3 * flushMs)
    }
    expect(logged).toHaveLength(1)
    expect(logged[0]).toContain('audit lines cannot be written')
    state.isAway = false
    await jest.advanceTimersByTimeAsync(flushMs)
    expect(subjects(batches)).toEqual(['sql', 'csv'])
    expect(logged[1]).toContain('audit lines can be written again')
  })

  it('keeps a bounded number of lines, counts the lost ones, and never confirms a run that has lost one', async () => {
    jest.useFakeTimers()
    const { log, batches, state, logged } = world()
    state.isAway = true
    for (let index = 0; index < waitingLines; index += 1) log.observe(press('kept'))
    await jest.advanceTimersByTimeAsync(flushMs)
    await asRun({ id: 'run_lossy' }, async () => log.observe(press('lost')))
    state.isAway = false
    await jest.advanceTimersByTimeAsync(flushMs)
    await log.recorded('run_other', signal)
    await expect(log.recorded('run_lossy', signal)).rejects.toThrow('lost')
    expect(batches.flat()).toHaveLength(waitingLines)
    expect(logged.at(-1)).toMatch(/"lost":1,.*can be written again/)
  })

  it('confirms a run once its lines are stored, and throws if they cannot be', async () => {
    const { log, batches, state } = world()
    await asRun({ id: 'run_1', person: 'slack/U1' }, async () => log.observe(press('sql')))
    await log.recorded('run_1', signal)
    expect(batches.flat()).toEqual([expect.objectContaining({ run: 'run_1', person: 'slack/U1', subject: 'sql' })])
    log.observe(press('csv'))
    state.isAway = true
    await expect(log.recorded('run_2', signal)).rejects.toThrow('away')
    state.isAway = false
    await log.close()
    expect(subjects(batches)).toEqual(['sql', 'csv'])
    expect(state.isClosed).toBe(true)
  })

  it('records one of many refused tokens, and no used one', async () => {
    const { log, batches } = world()
    const outcomes = ['refused', 'refused', 'used', 'revoked']
    for (const outcome of outcomes) log.observe({ kind: 'token', token: 'tok_1', outcome })
    await log.close()
    expect(batches.flat().map(({ outcome }) => outcome)).toEqual(['refused', 'revoked'])
  })

  it('closes a store that is still opening', async () => {
    const { log, state } = world()
    state.opening = new Promise(resolve => void setImmediate(resolve))
    void log.start()
    await log.close()
    expect(state).toMatchObject({ opened: 1, isClosed: true })
  })

  it('keeps no lines if there is no place for them', async () => {
    const { logger, lines } = recordingLogger()
    const log = new AuditLog({ open: async () => undefined, now: Date.now, logger })
    log.observe(press('sql'))
    await log.recorded('run_1', signal)
    await log.close()
    expect(lines).toEqual([])
  })
})
