import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { Analyst } from '../../src/agent/analyst.ts'
import { newRunId } from '../../src/agent/run/id.ts'
import type { RunResult } from '../../src/agent/run/result.ts'
import { Resources } from '../../src/base/lifecycle.ts'
import { createLogger } from '../../src/base/logger.ts'
import { DEMO_WORLD_DATABASE, loadDemoWorld } from '../../src/clickhouse/demo/world.ts'
import { RecordedLanguageModel, readRecordings } from '../../src/llm/recorded-language-model.ts'
import { assemble } from '../../src/main/assemble.ts'
import { readConfig } from '../../src/main/config.ts'
import { DemoCrm } from '../../src/main/demo/crm.ts'
import { readSamples, type Sample } from '../../src/main/demo/samples.ts'
import { findPostgres } from '../../src/postgres/local/programs.ts'
import { createMemoryStateStore } from '../../src/store/memory-state-store.ts'
import { startTestEngine, type TestEngine } from '../support/engine.ts'

const { signal } = new AbortController()
const logger = createLogger({ level: 'silent' })
const resources = new Resources()
let engine: TestEngine
let crm: DemoCrm
let analyst: Pick<Analyst, 'ask'>
let samples: readonly Sample[]

beforeAll(async () => {
  engine = await startTestEngine({ database: DEMO_WORLD_DATABASE })
  const { warehouse } = engine
  const programs = await findPostgres()
  const started = await DemoCrm.start({ resources }, programs, text => {
    throw new Error(text)
  })
  if (started === undefined) throw new Error('the demo has no Postgres')
  crm = started
  const world = await loadDemoWorld({ warehouse, anchor: new Date(Math.floor(Date.now() / 1_000) * 1_000) }, signal)
  await crm.fill({ warehouse, ...world }, signal)
  const config = readConfig({
    CLICKHOUSE_URL: engine.url,
    CLICKHOUSE_DATABASE: DEMO_WORLD_DATABASE,
    CLEW_DOMAIN_DIR: 'demo/domain',
    CLEW_SPECULATION: '0',
  })
  const context = { config: { ...config, sources: crm.sources(engine.url) }, logger, resources }
  const model = new RecordedLanguageModel(await readRecordings('demo/recordings.jsonl'))
  ;({ analyst } = await assemble(context, { warehouse, store: createMemoryStateStore({ now: Date.now }), model }, signal))
  samples = await readSamples({ hasCrm: true })
})
afterAll(async () => {
  await resources.close(logger)
  await engine.close()
})

async function ask(thread: string, turn = 0): Promise<RunResult> {
  const { question } = samples.filter(sample => sample.thread === thread)[turn] ?? { question: '' }
  const { result } = await analyst.ask({ runId: newRunId(), thread, text: question, askedAt: Date.now() }, signal)
  return result
}

const failures = ({ queries }: RunResult) => queries.flatMap(({ id, error }) => (error === null ? [] : [id]))
const unverified = ({ citations }: RunResult) => citations?.unsupported
/** Returns the rows of the last result, which rests on the others. */
const combined = ({ queries }: RunResult) => queries.at(-1)?.rows ?? []

describe('recorded answers from two sources', () => {
  it('divide the invoices of one by the traffic of the other', async () => {
    const result = await ask('price')
    expect(failures(result)).toEqual([])
    expect(unverified(result)).toEqual([])
    expect(result.queries.map(({ source }) => source)).toEqual(['crm', 'telemetry', undefined])
    expect(combined(result)[0]).toEqual(['Frost Compass Inc', expect.anything(), expect.anything(), expect.closeTo(0.02856, 5)])
    expect(result.combined).toMatchObject([{ op: 'left', rows_left: 45, rows_right: 40, keys_met: 37, rows: 10 }])
    expect(result.confidence).toBe('MEDIUM')
    expect(result.note).toContain('37 keys met, of 45 and 40')
  })

  it('compare what was invoiced with what was received', async () => {
    const result = await ask('billing')
    expect(failures(result)).toEqual([])
    expect(unverified(result)).toEqual([])
    expect(result.queries.at(-2)?.rows).toEqual([
      ['different', '2'],
      ['only_left', '8'],
      ['only_right', '3'],
      ['same', '35'],
    ])
    expect(combined(result)).toHaveLength(13)
  })

  it('agree with answers from one source about the same account and day', async () => {
    const billing = combined(await ask('billing'))
    await ask('traffic')
    const [account, , , , , gigabytes] = combined(await ask('traffic', 1))[0] ?? []
    const billed = billing.find(row => row.includes(account ?? ''))
    expect(billed?.map(Number)).toContainEqual(expect.closeTo(Number(gigabytes), 2))
  })

  it('list the events of both', async () => {
    const result = await ask('incidents')
    expect(failures(result)).toEqual([])
    expect(unverified(result)).toEqual([])
    const kinds = combined(result).map(row => row[3])
    expect(kinds.filter(kind => kind === 'status change')).toHaveLength(3)
    expect(kinds.filter(kind => kind === 'ticket')).toHaveLength(7)
  })

  it('tell what is left while one is switched off, and are whole again afterwards', async () => {
    const result = await crm.whileAway(() => ask('outage'))
    expect(failures(result)).toEqual(['Q2'])
    expect(result.answer).toContain('40 accounts')
    expect(result.note).toMatch(/^Missing: .*\(crm: /s)
    expect(result.confidence).toBe('LOW')
    expect(failures(await ask('price'))).toEqual([])
  })

  it('leave the questions to one source as they were', async () => {
    for (const { thread, question } of samples.filter(({ tags }) => !tags.includes('crm') && !tags.includes('crm-away'))) {
      if (question.startsWith('/lineage')) continue
      const { result } = await analyst.ask({ runId: newRunId(), thread, text: question, askedAt: Date.now() }, signal)
      expect([question, failures(result)]).toEqual([question, []])
    }
  })
})
