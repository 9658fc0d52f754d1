import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals'
import { startTestEngine, type TestEngine } from '../../test/support/engine.ts'
import { faultsAfterKill, type KilledWork, type KillPoint, makeOrders, statementsOf } from '../../test/support/killed-runner.ts'

// With PIPELINE_KILLS=all, the test kills the runner at every statement (about 20 minutes). Otherwise it kills only at a few important
// statements.
const KILLS_ALL = process.env.PIPELINE_KILLS === 'all'

jest.setTimeout(KILLS_ALL ? 3_600_000 : 120_000)

let test: TestEngine
beforeAll(async () => {
  test = await startTestEngine()
  await makeOrders(test)
})
afterAll(() => test.close())

const isWrite = (statement: string) => !/^\s*(?:SELECT|EXPLAIN)/.test(statement)

async function everyPoint(work: KilledWork): Promise<readonly (KillPoint & { readonly text: string })[]> {
  const statements = await statementsOf(test, `all_${work}`, work)
  return statements.flatMap((text, at) =>
    (isWrite(text) ? (['sent', 'done', 'stopped'] as const) : (['sent', 'stopped'] as const)).flatMap(moment =>
      (['resume', 'sweep'] as const).map(next => ({ work, statement: at + 1, moment, next, text })),
    ),
  )
}

async function faultsOf(points: readonly (KillPoint & { readonly text: string })[]): Promise<readonly string[]> {
  const waiting = [...points.entries()]
  const bad: string[] = []
  const kill = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [number, { text, ...point }] = next
      const faults = await faultsAfterKill(test, `${point.work}_${number}`, point).catch((error: unknown) => [String(error)])
      const where = `${point.work}, ${point.next} after ${text.slice(0, 90).replaceAll('\n', ' ')} was ${point.moment}`
      for (const fault of faults) bad.push(`${where}: ${fault}`)
    }
  }
  await Promise.all([kill(), kill(), kill()])
  return bad
}

describe('a runner that is killed with -9, or hangs', () => {
  const FILLS_LARGE = /^CREATE TABLE.*operation:large/
  const PUBLISHES = /^EXCHANGE TABLES.*orders_by_vendor/

  it('at an important statement leaves nothing that the next start does not repair', async () => {
    const points: readonly Omit<KillPoint & { text: string }, 'text'>[] = [
      { work: 'job', statement: FILLS_LARGE, moment: 'sent', next: 'resume' },
      { work: 'job', statement: PUBLISHES, moment: 'done', next: 'sweep' },
      { work: 'job', statement: PUBLISHES, moment: 'stopped', next: 'resume' },
      { work: 'replay', statement: FILLS_LARGE, moment: 'sent', next: 'sweep' },
    ]
    expect(await faultsOf(points.map(point => ({ ...point, text: String(point.statement) })))).toEqual([])
  })

  if (!KILLS_ALL) return
  it.each(['job', 'full', 'replay'] as const)(
    'at every statement of a %s leaves nothing that the next start does not repair',
    async work => {
      const points = await everyPoint(work)
      const bad = await faultsOf(points)
      process.stdout.write(`${work}: ${points.length} kills, ${bad.length} with faults\n`)
      expect(bad).toEqual([])
    },
  )
})
