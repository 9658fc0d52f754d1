import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import { startTestRedis, type TestRedis } from '../../../test/support/redis.ts'
import { createLogger } from '../../base/logger.ts'
import { PipelineError } from '../../pipelines/error.ts'
import { parseJobDefinition } from '../../pipelines/jobs/definition.ts'
import type { Job } from '../../pipelines/jobs/store.ts'
import { createPipelineSchedule, type PipelineScheduleDeps } from './pipeline-schedule.ts'
import type { PipelineWorker } from './pipeline-worker.ts'

const DEFINITION = parseJobDefinition(`
name: daily
inputs: { raw: { source: SELECT 1 AS a } }
operations: [{ name: all_rows, sql: "SELECT * FROM {{ raw }}" }]
target: { operation: all_rows, table: daily_rows }
schedule: '* * * * *'
`)
// Cron expressions with six fields begin with seconds.
const EVERY_SECOND = { ...DEFINITION, schedule: '* * * * * *' }

let redis: TestRedis
const schedules: PipelineWorker[] = []
beforeAll(async () => {
  redis = await startTestRedis()
})
afterEach(async () => {
  for (const schedule of schedules.splice(0)) await schedule.close(1_000)
  const client = await redis.connect()
  await client.flushall()
})
afterAll(() => redis.close())

type Runs = PipelineScheduleDeps['pipelines']

async function start(pipelines: Partial<Runs>, options: Partial<PipelineScheduleDeps> = {}): Promise<PipelineWorker> {
  const schedule = createPipelineSchedule({
    redis: await redis.connect(),
    pipelines: {
      list: async () => [{ name: 'daily', version: 1, definition: EVERY_SECOND, registeredAt: new Date(0) }],
      create: async () => ({ id: 'job_1' }) as Job,
      run: async () => ({ id: 'job_1', status: 'COMPLETED', error: '' }) as Job,
      sweep: async () => ({ failed: [], dropped: 0 }),
      ...pipelines,
    },
    logger: createLogger({ level: 'silent' }),
    ...options,
  })
  schedules.push(schedule)
  schedule.start()
  return schedule
}

describe('the schedule', () => {
  it('runs a registered job each time it is due', async () => {
    const ran: string[] = []
    await new Promise<void>(resolve => {
      void start({
        run: async id => {
          ran.push(id)
          if (ran.length === 2) resolve()
          return { id, status: 'COMPLETED', error: '' } as Job
        },
      })
    })
    expect(ran).toEqual(['job_1', 'job_1'])
  })

  it('continues a job on another worker when one stops', async () => {
    const begun: string[] = []
    let created = 0
    let first: PipelineWorker | undefined
    await new Promise<void>(resolve => {
      const run: Runs['run'] = (id, _options, signal) => {
        begun.push(id)
        resolve()
        return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
      }
      const create: Runs['create'] = async () => {
        created += 1
        return { id: `job_of_first_${created}` } as Job
      }
      void start({ run, create }).then(schedule => {
        first = schedule
      })
    })
    await first?.close(10)
    const resumed = await new Promise<string>(resolve => {
      void start({
        create: async () => ({ id: 'job_of_second' }) as Job,
        run: async id => {
          if (id.startsWith('job_of_first')) resolve(id)
          return { id, status: 'COMPLETED', error: '' } as Job
        },
      })
    })
    expect(begun).toContain(resumed)
  })

  it('skips a run while the previous one is under way', async () => {
    let refused = 0
    await new Promise<void>(resolve => {
      void start({
        create: async () => {
          refused += 1
          if (refused === 2) resolve()
          throw new PipelineError('daily has not ended yet', { kind: 'refused' })
        },
        run: async () => {
          throw new Error('must not run')
        },
      })
    })
    expect(refused).toBe(2)
  })

  it('reports once a job that cannot be scheduled, and definitions that cannot be read', async () => {
    const lines: string[] = []
    const logger = createLogger({ level: 'warn', destination: { write: line => void lines.push(line) } })
    const never = { name: 'never', version: 1, definition: { ...DEFINITION, name: 'never', schedule: '0 25 * * *' } }
    let rounds = 0
    await new Promise<void>(resolve => {
      const list: Runs['list'] = async () => {
        rounds += 1
        if (rounds > 4) resolve()
        if (rounds % 2 === 0) throw new Error('a row is none of this version')
        return [{ ...never, registeredAt: new Date(0) }]
      }
      void start({ list }, { keepUpMs: 1, logger })
    })
    expect(lines.map(line => JSON.parse(line))).toEqual([
      expect.objectContaining({ name: 'never', error: expect.stringContaining('got value 25') }),
      expect.objectContaining({ error: 'a row is none of this version' }),
    ])
  })
})
