import { beforeAll, describe, expect, it, jest } from '@jest/globals'
import type { ScriptedCall } from '../../../test/emulators/model/model-script.ts'
import { toolCalls } from '../../../test/emulators/model/model-scripts.ts'
import { AnalystSuite, classified, never } from '../../../test/support/analyst-suite.ts'
import type { EngineAnalystSettings } from '../../../test/support/engine-analyst.ts'
import { fenced, promptOf } from '../../../test/support/scripted-analyst.ts'
import { clickhouseSource } from '../../../test/support/source-suite.ts'
import { Resources } from '../../base/lifecycle.ts'
import { createLogger } from '../../base/logger.ts'
import { EngineSqlGuard } from '../../clickhouse/guard/engine-sql-guard.ts'
import { OpenAILanguageModel } from '../../llm/openai-language-model.ts'
import { readConfig } from '../../main/config.ts'
import { migrateState, wirePipelines, wireThreadAnalyst } from '../../main/pipelines.ts'
import { SourceResolver } from '../../sources/resolver.ts'
import { WarehouseError } from '../../warehouse/error.ts'
import type { Question } from '../analyst.ts'
import { OpenQuestions } from '../ask-back/open-questions.ts'
import { askInThread } from '../ask-in-thread.ts'
import { lineageOverview } from '../lineage/overview.ts'
import { newRunId } from '../run/id.ts'

jest.setTimeout(90_000)

const context = { config: readConfig({}), logger: createLogger({ level: 'silent' }), resources: new Resources() }
const SAMPLES = 'SELECT link, toDate(at) AS day, sent, lost FROM net.samples'
const DAILY =
  'SELECT day, link, 100 * toFloat64(sum(lost)) / nullIf(sum(sent), 0) AS loss_pct FROM {{ samples }} GROUP BY day, link ORDER BY day, link'

/** Returns a draft as the model writes it. */
const drafted = (given: object = {}) => ({
  name: 'daily_loss',
  description: 'The loss of each link, by day.',
  arguments: [],
  inputs: [{ name: 'samples', description: 'Samples of all links.', source: SAMPLES }],
  operations: [{ name: 'daily', description: 'Loss in percent.', sql: DAILY }],
  target: { operation: 'daily', table: 'daily_loss' },
  schedule: '0 3 * * *',
  time_zone: null,
  clarification: null,
  datasource: null,
  error: null,
  ...given,
})
const withSource = (source: string) => drafted({ inputs: [{ name: 'samples', description: '', source }] })
const withSql = (sql: string) => drafted({ operations: [{ name: 'daily', description: '', sql }] })

const suite = new AnalystSuite({
  defaults: {
    classify: () => classified({ intent: 'pipeline_draft', standalone_question: null }),
    draft_pipeline: () => drafted(),
  },
  statements: [
    'CREATE DATABASE net',
    'CREATE DATABASE secret',
    'CREATE TABLE net.samples (link String, at DateTime, sent UInt32, lost UInt32, code String) ENGINE = MergeTree ORDER BY at',
    "INSERT INTO net.samples SELECT ['ams-tyo', 'lon-nyc'][1 + number % 2], toDateTime('2026-03-01 00:00:00') + number * 3600, 100, number % 5, if(number = 7, 'x', '1') FROM numbers(96)",
    'CREATE TABLE secret.salaries (person String, amount UInt32) ENGINE = MergeTree ORDER BY person',
    "INSERT INTO secret.salaries VALUES ('Anna', 90000)",
  ],
})
let pipelines: ReturnType<typeof wirePipelines>
beforeAll(async () => {
  await migrateState(context, suite.engine.warehouse, never)
  pipelines = wirePipelines(context, suite.engine.warehouse)
})

/** Opens a thread in which a person drafts a pipeline. */
async function openThread(settings: Partial<EngineAnalystSettings> = {}) {
  const opened = await suite.open({ databases: ['net', 'secret'], trials: pipelines.trials, ...settings })
  const { analyst, store } = opened
  const questions = new OpenQuestions({ store, now: Date.now })
  const say = async (text: string, { signal = never, ...given }: Partial<Question> & { signal?: AbortSignal } = {}) => {
    const runId = given.runId ?? newRunId()
    const message = { thread: 'slack/T/C/1', id: runId, author: 'anna', text, at: Date.now() }
    const answer = await askInThread(
      { analyst, questions },
      message,
      { runId, timeZone: 'Europe/Berlin', askPerson: async () => undefined, ...given },
      signal,
    )
    return answer.result
  }
  const model = new OpenAILanguageModel({
    ...{
      apiKey: 'none',
      baseUrl: suite.model.baseUrl,
      model: 'scripted',
      logger: context.logger,
      random: () => 0,
      now: Date.now,
    },
    ...{ idleTimeoutMs: 60_000, totalTimeoutMs: 60_000 },
  })
  return { ...opened, say, model }
}

/** Returns the tables that jobs, or their trials, have made for themselves. */
async function ownTables(): Promise<readonly string[]> {
  const sql = "SELECT name FROM system.tables WHERE database = 'pipelines' AND startsWith(name, 't_')"
  const { rows } = await suite.engine.warehouse.readOwn({ sql, database: 'system' }, never)
  return rows.map(([name]) => String(name))
}

const section = (call: ScriptedCall | undefined, label: string) => fenced(promptOf(call as ScriptedCall), label)

describe('a pipeline drafted in words', () => {
  it('is explained, revised twice and confirmed; its definition registers, runs and has a lineage', async () => {
    const { say, analyst, store, model } = await openThread()
    const calls = suite.calls('draft_pipeline')
    const first = await say('make a pipeline that keeps daily loss per link, at 3 in the morning')
    expect(first.interrupt).toMatchObject({
      kind: 'need_confirm',
      choices: [{ label: 'Hand over the file' }],
    })
    expect(first.answer).toContain('**Draft of the pipeline `daily_loss`**: The loss of each link, by day.')
    expect(first.answer).toContain('1. `samples`: input, read from `net.samples`. Samples of all links.')
    expect(first.answer).toContain('2. `daily`: made from `samples`. Loss in percent.')
    expect(first.answer).toContain('The result is the table `daily_loss`, which each run replaces.')
    expect(first.answer).toContain('It runs every day at 03:00 (Europe/Berlin).')
    expect(first.answer).toMatch(/A run reads about .* \(96 rows\) of `samples`\. With the data of now it makes 8 rows\./)
    expect(first.answer).toContain('Tried on the first 1,000 rows of each input, it makes rows like these:')
    expect(first.answer).toContain('| 2026-03-01 | ams-tyo |')
    expect(first.draft).toMatchObject({ name: 'daily_loss', valid: true, warnings: [], tables: ['net.samples'] })
    expect(await ownTables()).toEqual([])

    suite.script = { draft_pipeline: () => drafted({ name: 'link_loss', target: { operation: 'daily', table: 'link_loss' } }) }
    expect((await say('call it link_loss')).draft?.name).toBe('link_loss')
    expect(section(calls().at(-1), 'draft')).toContain('name: daily_loss')
    const recent = `${SAMPLES} WHERE at >= toDateTime('2026-03-03 00:00:00')`
    suite.script = {
      draft_pipeline: () =>
        drafted({
          name: 'link_loss',
          target: { operation: 'daily', table: 'link_loss' },
          inputs: [{ name: 'loss_samples', description: '', source: recent }],
          operations: [{ name: 'daily', description: '', sql: DAILY.replace('{{ samples }}', '{{ loss_samples }}') }],
        }),
    }
    const second = await say('use the last days instead')
    expect(second.answer).toContain('it makes 4 rows')
    expect(section(calls().at(-1), 'draft')).toContain('name: link_loss')

    const before = calls().length
    const confirmed = await say('1')
    expect(confirmed).toMatchObject({ interrupt: null, intent: 'pipeline_draft' })
    expect(confirmed.answer).toContain('clew jobs register link_loss.yaml')
    expect(calls().length).toBe(before)
    const definition = confirmed.draft?.definition ?? ''
    expect(confirmed.answer).toContain(definition.trim())

    const registered = await pipelines.pipelines.register(definition, never)
    expect(registered).toMatchObject({
      name: 'link_loss',
      version: 1,
      definition: { schedule: '0 3 * * *', time_zone: 'Europe/Berlin' },
    })
    const job = await pipelines.pipelines.create('link_loss', {}, never)
    expect(await pipelines.pipelines.run(job.id, {}, never)).toMatchObject({ status: 'COMPLETED', error: '' })
    const sql = 'SELECT count() FROM pipelines.link_loss'
    expect((await suite.engine.warehouse.readOwn({ sql, database: 'pipelines' }, never)).rows).toEqual([['4']])
    const { warehouse } = suite.engine
    const deps = { source: pipelines.source, guard: new EngineSqlGuard({ warehouse }), warehouse }
    const found = await pipelines.source.findRun('link_loss', never)
    if (!('run' in found)) throw new Error('the run is not known')
    const { run, columns } = await lineageOverview(deps, found.run, never)
    expect(run).toMatchObject({ id: job.id, job: 'link_loss' })
    const loss = columns[0]?.fields.find(({ column }) => column === 'loss_pct')
    expect(loss?.inputs.map(({ table, column }) => `${table}.${column}`).sort()).toEqual([
      'pipelines.p_loss_samples.lost',
      'pipelines.p_loss_samples.sent',
    ])
    const rounds = suite.calls('lineage')
    const query = { sql: "SELECT link FROM {{ link_loss }} WHERE link = 'ams-tyo' LIMIT 1" }
    suite.script = {
      lineage: () =>
        rounds().length === 1
          ? toolCalls({ name: 'query_table', arguments: query })
          : 'The row of ams-tyo is right [E1].\n\nFAULT: none',
    }
    const threads = await wireThreadAnalyst(context, { ...deps, analyst, store, model }, never)
    const why = { runId: newRunId(), text: 'lineage link_loss why is ams-tyo there?', askedAt: Date.now() }
    expect((await threads.ask(why, never)).result).toMatchObject({
      intent: 'lineage',
      answer: 'The row of ams-tyo is right [E1].',
      queries: [{ rows: [['ams-tyo']] }],
      draft: null,
    })
    expect((await pipelines.pipelines.list(never)).map(({ name }) => name)).toEqual(['link_loss'])
    const trials = "SELECT count() FROM clew.operation_log WHERE startsWith(job_id, 'trial')"
    expect((await warehouse.readOwn({ sql: trials, database: 'clew' }, never)).rows).toEqual([['0']])
  })

  it('takes no table of another job', async () => {
    const { say } = await openThread()
    const calls = suite.calls('draft_pipeline')
    const inputs = [{ name: 'loss_samples', description: '', source: SAMPLES }]
    const operations = [{ name: 'daily', description: '', sql: 'SELECT * FROM {{ loss_samples }}' }]
    suite.script = { draft_pipeline: () => (calls().length === 1 ? drafted({ inputs, operations }) : drafted()) }
    expect((await say('keep the daily loss')).draft?.valid).toBe(true)
    expect(promptOf(calls()[1] as ScriptedCall)).toContain('These tables belong to others: p_loss_samples.')
    const known = { name: 'link_loss', inputs, operations, target: { operation: 'daily', table: 'link_loss' } }
    suite.script = { draft_pipeline: () => drafted(known) }
    expect((await say('call it link_loss')).draft?.warnings).toEqual([
      'There is a pipeline `link_loss` already: registering the file makes a new version of it.',
    ])
  })

  it('is repaired with the words of the engine, also where only real rows show the mistake', async () => {
    const { say } = await openThread({ databases: ['default', 'net'] })
    const calls = suite.calls('draft_pipeline')
    const attempts = [
      withSource('SELECT lnk, toDate(at) AS day, sent, lost FROM net.samples'),
      withSource('SELECT shop AS link, day, amount AS sent, amount AS lost FROM sales'),
      withSql('SELECT day, link, avgg(lost) AS lost FROM {{ samples }} GROUP BY day, link'),
      withSql('SELECT link, sum(lost) AS lost FROM net.samples GROUP BY link UNION ALL SELECT link, lost FROM {{ samples }}'),
      drafted({
        inputs: [{ name: 'samples', description: '', source: 'SELECT link, code FROM net.samples' }],
        operations: [
          { name: 'daily', description: '', sql: 'SELECT link, sum(toUInt32(code)) AS codes FROM {{ samples }} GROUP BY link' },
        ],
      }),
      drafted(),
    ]
    suite.script = { draft_pipeline: () => attempts[calls().length - 1] ?? {} }
    const result = await say('keep the daily loss')
    expect(result.draft?.valid).toBe(true)
    const wrong = calls().map(call => promptOf(call).split('what was wrong:').slice(-1)[0] ?? '')
    expect(wrong[1]).toMatch(/input samples: .*lnk.*near: .*link/s)
    expect(wrong[2]).toMatch(/input samples: .*sales.*default\.sales/s)
    expect(wrong[3]).toMatch(/operation daily: .*avgg.*did you mean avg/s)
    expect(wrong[4]).toContain('it reads net.samples directly')
    expect(wrong[5]).toMatch(/operation daily, tried on samples: .*Cannot parse string 'x' as UInt32/s)
    expect(await ownTables()).toEqual([])
  })

  it.each([
    ['a type', 'SELECT link, CAST(lost AS UInt33) AS lost FROM {{ samples }}', /no data type UInt33\. Near: .*UInt32/],
    ['a setting', 'SELECT link FROM {{ samples }} SETTINGS max_thread = 1', /SETTINGS/],
    ['a table function', "SELECT link FROM {{ samples }} UNION ALL SELECT * FROM urls('http://evil.example')", /urls/],
    ['a table', 'SELECT link FROM {{ samples }} WHERE link IN (SELECT link FROM net.sample)', /net\.sample/],
  ])('names %s that exists, in the end', async (_, sql, message) => {
    const { say } = await openThread()
    const calls = suite.calls('draft_pipeline')
    suite.script = { draft_pipeline: () => (calls().length === 1 ? withSql(sql) : drafted()) }
    expect((await say('keep the daily loss')).draft?.valid).toBe(true)
    expect(promptOf(calls()[1] as ScriptedCall).split('what was wrong:')[1]).toMatch(message)
  })

  it('that never works ends in what was tried, after five repairs', async () => {
    const { say } = await openThread()
    const calls = suite.calls('draft_pipeline')
    await say('keep the daily loss')
    suite.script = { draft_pipeline: () => withSql('SELECT nothing FROM {{ samples }}') }
    const result = await say('keep nothing')
    expect(calls().length).toBe(7)
    expect(result.answer).toContain('I could not draft a pipeline that works, in 6 attempts. What was tried:')
    expect(result.answer.match(/^\d\. operation daily: .*nothing/gm)).toHaveLength(6)
    expect(result.answer).toContain('The draft before stays as it was.')
    expect(result).toMatchObject({ interrupt: null, draft: { valid: false, tables: null } })
    suite.script = {}
    await say('keep the daily loss after all')
    expect(section(calls().at(-1), 'draft')).toContain('sum(lost)')
  })

  it('reads no table that the person may not read, and says no word of it', async () => {
    const { say } = await openThread()
    const calls = suite.calls('draft_pipeline')
    const access = { grants: [{ tables: ['net.*'], except: [] }], clickhouseRoles: [] }
    const salaries = 'SELECT person AS link, today() AS day, amount AS sent, amount AS lost FROM secret.salaries'
    const from = await suite.engine.receivedQueries()
    suite.script = { draft_pipeline: () => (calls().length === 1 ? withSource(salaries) : drafted()) }
    const result = await say('keep the daily loss', { access })
    expect(result.draft?.tables).toEqual(['net.samples'])
    const prompts = calls().map(promptOf)
    expect(prompts[0]).not.toContain('salaries')
    expect(prompts[1]).toMatch(/what was wrong:.*input samples: .*secret\.salaries/s)
    expect(result.answer).not.toContain('salaries')
    const ran = (await suite.engine.receivedQueries(from.length)).map(({ sql }) => sql)
    expect(ran.filter(sql => sql.includes('salaries') && !/format|parse|EXPLAIN (?:AST|QUERY TREE)/i.test(sql))).toEqual([])

    // Another person, with other rights, has no draft in this thread.
    suite.script = {}
    await say('call it link_loss')
    expect(promptOf(calls().at(-1) as ScriptedCall)).not.toContain('# The draft so far')
  })

  it('copies no private column, under whatever name or expression', async () => {
    const copies = ['code', 'lower(code)', "if(code = 'x', 1, 0)", 'tuple(link, code).2', '*']
    const { say } = await openThread({ privateColumns: ['net.samples.code'] })
    const calls = suite.calls('draft_pipeline')
    const sourceOf = (copy: string) =>
      `SELECT ${copy === '*' ? '*' : `${copy} AS link`}, toDate(at) AS day, sent, lost FROM net.samples`
    const from = (await suite.engine.receivedQueries()).length
    suite.script = { draft_pipeline: () => withSource(sourceOf(copies[calls().length - 1] ?? 'link')) }
    const result = await say('keep the daily loss')
    expect(calls()).toHaveLength(copies.length + 1)
    for (const call of calls().slice(1)) expect(promptOf(call)).toMatch(/what was wrong:.*code.* may not be read: it is private/s)
    expect(result.draft?.definition).not.toContain('code')
    const read = (await suite.engine.receivedQueries(from)).filter(
      ({ user, sql }) => user === 'reader' && /\bcode\b/.test(sql) && !/format|parse|EXPLAIN (?:AST|QUERY TREE)/i.test(sql),
    )
    expect(read).toEqual([])
    expect(await ownTables()).toEqual([])
  })

  it('survives the process, and later messages of the thread are read with it', async () => {
    const { say, store, conversations } = await openThread()
    const readings = suite.calls('classify')
    await say('keep the daily loss')
    expect(promptOf(readings()[0] as ScriptedCall)).not.toContain('# The draft of a pipeline in this thread')
    const { say: later } = await openThread({ store, conversations })
    const calls = suite.calls('draft_pipeline')
    await later('at 5 instead')
    expect(section(calls()[0], 'draft')).toContain('schedule: 0 3 * * *')
    expect(section(readings()[1], 'draft')).toBe('pipeline: daily_loss\nasked: keep the daily loss')
    suite.script = {
      classify: () => classified({ intent: 'conversational', standalone_question: null, reply: 'You are welcome.' }),
    }
    expect((await later('Thanks!')).answer).toBe('You are welcome.')
  })

  it('cleans up first if a killed process has begun to try it out', async () => {
    const { trials } = pipelines
    const used: string[] = []
    const spied = (own: Partial<typeof trials>): EngineAnalystSettings['trials'] =>
      new Proxy(trials, { get: (whole, name) => Object(own)[name] ?? Object(whole)[name].bind?.(whole) ?? Object(whole)[name] })
    const dying = new AbortController()
    const { say, store, conversations } = await openThread({
      trials: spied({
        run: async (id, definition, steps) => {
          await trials.run(id, definition, steps, never)
          dying.abort()
          throw dying.signal.reason
        },
        cleanUp: async () => {},
      }),
    })
    const runId = newRunId()
    await expect(say('keep the daily loss', { runId, signal: dying.signal })).rejects.toBeDefined()
    expect(await ownTables()).toHaveLength(2)
    const calls = suite.calls('draft_pipeline')
    const { say: again } = await openThread({
      store,
      conversations,
      trials: spied({
        run: async (id, ...others) => {
          used.push(id)
          expect(await ownTables()).toEqual([])
          return trials.run(id, ...others)
        },
      }),
    })
    expect((await again('keep the daily loss', { runId })).draft?.valid).toBe(true)
    expect(calls()).toEqual([])
    expect(used).toEqual([expect.stringMatching(/^trial_/)])
    expect(await ownTables()).toEqual([])
  })

  it('is handed over at once if nobody can be asked', async () => {
    const { analyst } = await openThread()
    const { result } = await analyst.ask({ runId: newRunId(), text: 'keep the daily loss', askedAt: Date.now() }, never)
    expect(result).toMatchObject({ interrupt: null, draft: { valid: true } })
    expect(result.answer).toContain('name: daily_loss')
  })

  it('is changed in the next words, which the outcomes tell', async () => {
    const outcomes: string[] = []
    const { say } = await openThread({ telemetry: each => void (each.kind === 'draft' && outcomes.push(each.outcome)) })
    await say('keep the daily loss')
    const calls = suite.calls('draft_pipeline')
    await say('call it link_loss')
    expect(section(calls()[0], 'question')).toBe('call it link_loss')
    expect(section(calls()[0], 'draft')).toContain('name: daily_loss')
    expect(outcomes).toEqual(['shown', 'shown'])
  })

  it('is checked by plan and types alone where no table can be written, and says so', async () => {
    const denied = async () => {
      throw new WarehouseError('Not enough privileges.', { kind: 'denied' })
    }
    const { warehouse } = suite.engine
    const poor = wirePipelines(context, {
      ...warehouse,
      read: warehouse.read.bind(warehouse),
      close: async () => {},
      readOwn: denied,
      write: denied,
    })
    const { say } = await openThread({ trials: poor.trials })
    suite.script = { classify: () => classified({ intent: 'pipeline_draft', standalone_question: null, language: 'de' }) }
    const result = await say('halte den täglichen Verlust fest')
    expect(result.answer).toContain('Geprüft sind nur Plan und Typen')
    expect(result.answer).toContain('Sie läuft jeden Tag um 03:00 (Europe/Berlin).')
    expect(result.draft).toMatchObject({
      valid: true,
      warnings: [expect.stringContaining('CLEW_WRITER_URL'), expect.stringContaining('SELECT')],
    })
  })

  it('is made over the default data source, whichever the message is about', async () => {
    const { warehouse } = suite.engine
    const net = { id: 'telemetry', isDefault: true, databases: ['net'], description: 'Loss of links' }
    const others = clickhouseSource(warehouse, { id: 'people', databases: ['secret'], description: 'Salaries of persons' })
    const settings = { resolver: new SourceResolver(), databases: ['net'] }
    const { say } = await openThread({ ...settings, dataSources: [clickhouseSource(warehouse, net), others] })
    const calls = suite.calls('draft_pipeline')
    const result = await say('keep the salaries of persons')
    expect(promptOf(calls()[0] as ScriptedCall)).not.toContain('secret.salaries')
    expect(result.draft?.warnings).toEqual(['Pipelines read and write the data source `telemetry` alone.'])
    const access = { grants: [{ tables: ['people/secret.*'], except: [] }], clickhouseRoles: [] }
    expect((await say('keep the salaries of persons', { access })).answer).toContain('You may not read the data source')
    const postgres = { ...others, config: { ...others.config, kind: 'postgres' as const, isDefault: true } }
    const { say: elsewhere } = await openThread({ ...settings, dataSources: [postgres] })
    expect((await elsewhere('keep the salaries')).answer).toContain('Pipelines need a data source of ClickHouse')
    expect(calls()).toHaveLength(1)
  })

  it('asks back what is open, with choices', async () => {
    const { say } = await openThread()
    const calls = suite.calls('draft_pipeline')
    const open = { inputs: [], operations: [], target: null }
    suite.script = {
      draft_pipeline: () => drafted({ ...open, datasource: { question: 'Whose?', databases: ['net', 'secret'] } }),
    }
    const which = await say('keep the loss')
    expect(which.interrupt).toMatchObject({ kind: 'need_datasource', choices: [{ value: 'net' }, { value: 'secret' }] })
    suite.script = {
      draft_pipeline: () =>
        calls().length === 2
          ? drafted({ ...open, clarification: { question: 'Loss of what?', choices: ['Packets', 'Money'] } })
          : drafted(),
    }
    const what = await say('net')
    expect(promptOf(calls().at(-1) as ScriptedCall)).not.toContain('salaries')
    expect(what.interrupt).toMatchObject({ kind: 'need_clarification', choices: [{ label: 'Packets' }, { label: 'Money' }] })
    expect((await say('Packets')).draft?.valid).toBe(true)
  })
})
