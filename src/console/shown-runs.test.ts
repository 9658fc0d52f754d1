import { describe, expect, it } from '@jest/globals'
import { HTTP_PLATFORM } from '../http/place.ts'
import { Problem } from '../http/problem.ts'
import type { Viewer } from './app.ts'
import { CONSOLE_LIMITS } from './limits.ts'
import type { StoredLine } from './run-line.ts'
import { type AskedRun, ShownRuns, type ShownRunsDeps } from './shown-runs.ts'

const line = { id: 'run_1', person: 'slack/U1', platform: HTTP_PLATFORM, channel: 'tok_1', rights: 'then' } as StoredLine
const signal = AbortSignal.timeout(60_000)

/** A request for the run by somebody with these rights. */
function askedWith(rights: string, person = 'slack/U1'): AskedRun {
  const may = { operate: true, define: false }
  const viewer = { person, rights, may, caller: { token: { id: 'tok_1' } } } as unknown as Viewer
  return { path: { id: 'run_1' }, viewer, signal }
}

/** Opens the runs with one turn. */
function openRuns(find: () => Promise<never>): ShownRuns {
  return new ShownRuns({ mirror: { find: async () => line }, turns: { find } } as unknown as ShownRunsDeps)
}

describe('a turn of the console', () => {
  it('whose answer has expired shows its errors with the rights of then alone', async () => {
    const runs = openRuns(async () => {
      throw Problem.unknown()
    })
    expect(await runs.find(askedWith('then'))).toMatchObject({ maySee: true, result: undefined })
    expect(await runs.find(askedWith('now'))).toMatchObject({ maySee: false, result: undefined })
  })

  it('takes one of few places while it is read', async () => {
    let reading = 0
    let release = () => {}
    const released = new Promise<void>(done => {
      release = done
    })
    const runs = openRuns(async () => {
      reading += 1
      await released
      throw Problem.unknown()
    })
    const read = Array.from({ length: 10 }, () => runs.find(askedWith('then')))
    await runs.find(askedWith('then', 'slack/U2'))
    expect(reading).toBe(CONSOLE_LIMITS.openRunsOfPerson)
    release()
    expect(await Promise.all(read)).toHaveLength(10)
    expect(reading).toBe(10)
  })
})
