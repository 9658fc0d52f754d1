import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { ModelScript } from '../../../test/emulators/model/model-script.ts'
import { answer, toolCalls } from '../../../test/emulators/model/model-scripts.ts'
import { type ScriptedModel, startScriptedModel } from '../../../test/emulators/model/scripted-model.ts'
import { type EndlessPipeline, startEndlessPipeline } from '../../../test/support/endless-pipeline.ts'
import { startTestEngine, type TestEngine } from '../../../test/support/engine.ts'
import { runClew } from '../../../test/support/run-clew.ts'

const REPLAY = { name: 'request_full_replay', arguments: { reason: 'heavy is not there any more' } }

let engine: TestEngine
let model: ScriptedModel
let pipeline: EndlessPipeline
/** The answers that the scripted model gives from now on. The last one is repeated. */
let turns: ModelScript[] = []

beforeAll(async () => {
  ;[engine, model] = await Promise.all([
    startTestEngine(),
    startScriptedModel({ onRequest: () => (turns.length > 1 ? turns.shift() : turns[0]) ?? answer('It cannot be told.') }),
  ])
  pipeline = await startEndlessPipeline(engine.warehouse)
})
afterAll(async () => {
  await model?.close()
  await engine?.close()
})

describe('clew ask', () => {
  it('refuses a question that is too long before it opens anything', async () => {
    const { status, errors } = await runClew(['ask', 'x'.repeat(8_001)], {})
    expect([status, errors]).toEqual([2, expect.stringContaining('more than the 8,000 characters')])
  })

  it.each([[' '], ['x'.repeat(8_001)]])('prints with --json why it refuses a question: %#', async question => {
    const { status, output } = await runClew(['ask', '--json', question], {})
    expect([status, JSON.parse(output)]).toMatchObject([2, { run_id: null, error: { kind: 'configuration' } }])
  })
})

describe('a command with --json in a wrong environment', () => {
  it.each([
    [['ask', 'How many?'], { CLICKHOUSE_URL: 'bogus' }, 2],
    [['ask', 'How many?'], { CLEW_SOURCES_FILE: '/nowhere.yaml' }, 2],
    [['lineage', 'daily'], { CLICKHOUSE_URL: '' }, 2],
    [['lineage', 'daily'], { CLICKHOUSE_URL: 'http://127.0.0.1:9' }, 1],
    [['schema', '--source', 'elsewhere'], { CLICKHOUSE_URL: '' }, 2],
  ])('prints its failure as an object, and on standard error for people: %j', async (args, env, expected) => {
    const { status, output, errors } = await runClew([...args, '--json'], env)
    expect([status, JSON.parse(output)]).toEqual([
      expected,
      { run_id: null, error: { kind: expect.stringMatching(/^[a-z_]+$/), message: expect.stringMatching(/\w+.*\./) } },
    ])
    expect(errors).toContain(JSON.parse(output).error.message)
  })
})

describe('a failed clew ask', () => {
  it.each([
    [[], '', ''],
    [['--json'], 'run_', 'object'],
  ])('names its run on standard error, and with --json prints what failed: %j', async (more, id, kind) => {
    const { status, output, errors } = await runClew(['ask', ...more, 'How many?'], {
      CLICKHOUSE_URL: engine.url,
      // No server listens on this port.
      OPENAI_BASE_URL: 'http://127.0.0.1:9/v1',
      OPENAI_MODEL: 'scripted',
    })
    expect([status, errors]).toEqual([1, expect.stringMatching(/could not be reached.*\(run_\w+\)\n$/s)])
    const printed = output === '' ? {} : JSON.parse(output)
    expect([String(printed.run_id ?? '').slice(0, 4), kind === '' ? '' : typeof printed.error]).toEqual([id, kind])
    expect(printed.error).toEqual(
      id === '' ? undefined : { kind: expect.stringMatching(/./), message: expect.stringContaining('could not be reached') },
    )
  })
})

describe('clew ask --yes', () => {
  it('agrees to the replay of an investigation', async () => {
    turns = [toolCalls(REPLAY), answer('It cannot be told.')]
    const { writer } = await engine.engine.endpoint(AbortSignal.timeout(10_000))
    const { status, output } = await runClew(['ask', '--json', '--yes', 'lineage daily why are there so few rows?'], {
      CLICKHOUSE_URL: engine.url,
      CLEW_WRITER_URL: writer.url.replace('//', `//${writer.username}:${writer.password}@`),
      OPENAI_BASE_URL: model.baseUrl,
      OPENAI_MODEL: 'scripted',
    })
    expect([status, JSON.parse(output)]).toMatchObject([0, { interrupt: null }])
    expect(await pipeline.countReplays('COMPLETED')).toBe(1)
  })
})

describe('clew lineage', () => {
  const ask = (...flags: readonly string[]) => {
    const sql = 'SELECT n FROM {{ raw }} WHERE n < 3 ORDER BY n'
    turns = [toolCalls({ name: 'query_table', arguments: { sql } }), answer('`raw` has {count(): word} such rows [E1].')]
    return runClew(['lineage', ...flags, 'daily', 'why are there so few rows?'], {
      CLICKHOUSE_URL: engine.url,
      OPENAI_BASE_URL: model.baseUrl,
      OPENAI_MODEL: 'scripted',
    })
  }

  it('shows with --sources where its figures come from, and the SQL of the evidence', async () => {
    const { status, output } = await ask('--sources')
    expect([status, output]).toEqual([0, expect.stringContaining('`raw` has three such rows [E1].'.replaceAll('`', ''))])
    expect(output).toMatch(/\nthree: E1, all 3 rows\n\nE1 rows of raw\nSELECT\b/)
  })

  it('prints them with --json', async () => {
    const { output } = await ask('--json')
    expect(JSON.parse(output).figures).toEqual([{ text: 'three', query: 'E1', value: 3, formula: 'all 3 rows', cells: [] }])
  })

  it('prints with --json what failed', async () => {
    const { status, output, errors } = await runClew(['lineage', '--json', 'daily', 'why?'], {
      CLICKHOUSE_URL: engine.url,
      // No server listens on this port.
      OPENAI_BASE_URL: 'http://127.0.0.1:9/v1',
      OPENAI_MODEL: 'scripted',
    })
    const { error } = JSON.parse(output)
    expect([status, error]).toEqual([1, { kind: expect.any(String), message: expect.stringContaining('could not be reached') }])
    expect(errors).toBe(`${error.message}\n`)
  })
})
