import { describe, expect, it } from '@jest/globals'
import { HTTP_PLATFORM } from '../http/place.ts'
import { Problem } from '../http/problem.ts'
import type { Viewer } from './app.ts'
import { CONSOLE_LIMITS } from './limits.ts'
import type { StoredLine } from './run-line.ts'
import { ShownRuns, type ShownRunsDeps } from './shown-runs.ts'

const line = { id: 'run_1', person: 'slack/U1', platform: HTTP_PLATFORM, channel: 'tok_1', rights: 'then' } as StoredLine
const signal = AbortSignal.timeout(60_000)

function viewerWith(rights: string, person = 'slack/U1'): Viewer {
  const may = { operate: true, define: false }
  return { person, rights, may, caller: { token: { id: 'tok_1' } } } as unknown as Viewer
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
    expect(await runs.find('run_1', viewerWith('then'), signal)).toMatchObject({ maySee: true, result: undefined })
    expect(await runs.find('run_1', viewerWith('now'), signal)).toMatchObject({ maySee: false, result: undefined })
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
    const read = Array.from({ length: 10 }, () => runs.find('run_1', viewerWith('then'), signal))
    await runs.find('run_1', viewerWith('then', 'slack/U2'), signal)
    expect(reading).toBe(CONSOLE_LIMITS.openRunsOfPerson)
    release()
    expect(await Promise.all(read)).toHaveLength(10)
    expect(reading).toBe(10)
  })
})
