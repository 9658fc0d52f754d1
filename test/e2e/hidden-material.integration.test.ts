import { beforeAll, describe, expect, it, jest } from '@jest/globals'
import fc from 'fast-check'
import type { RunAccess } from '../../src/access/run-access.ts'
import type { Question } from '../../src/agent/analyst.ts'
import { newRunId } from '../../src/agent/run/id.ts'
import { Resources } from '../../src/base/lifecycle.ts'
import { createLogger } from '../../src/base/logger.ts'
import { EngineSqlGuard } from '../../src/clickhouse/guard/engine-sql-guard.ts'
import { OpenAILanguageModel } from '../../src/llm/openai-language-model.ts'
import { readConfig } from '../../src/main/config.ts'
import { migrateState, wirePipelines, wireThreadAnalyst } from '../../src/main/pipelines.ts'
import type { ScriptedCall } from '../emulators/model/model-script.ts'
import { toolCalls } from '../emulators/model/model-scripts.ts'
import { AnalystSuite, classified, draft, never, plan } from '../support/analyst-suite.ts'
import { fenced, promptOf } from '../support/scripted-analyst.ts'
import { type WalledWorld, walledWorlds } from '../support/walled-world.ts'

/** To search more widely: `PROPERTY_WORLDS=300 PROPERTY_SEED=random npm run jest -- test/e2e/hidden-material`. */
const WORLDS = Number(process.env.PROPERTY_WORLDS ?? 6)
jest.setTimeout(60_000 + WORLDS * 15_000)

const logger = createLogger({ level: 'silent' })
const context = { config: readConfig({}), logger, resources: new Resources() }
const suite = new AnalystSuite()
const write = (sql: string) => suite.engine.warehouse.write({ sql, database: 'default' }, never)

beforeAll(async () => {
  await migrateState(context, suite.engine.warehouse, never)
})

/** Opens a thread for a person with limited rights. Records everything that the model and this person get to see. */
async function openThread(databases: readonly string[]) {
  const { warehouse } = suite.engine
  const { analyst, store, close } = await suite.open({ databases })
  const model = new OpenAILanguageModel({
    ...{ apiKey: 'none', baseUrl: suite.model.baseUrl, model: 'scripted', logger, random: () => 0, now: Date.now },
    ...{ idleTimeoutMs: 60_000, totalTimeoutMs: 60_000 },
  })
  const guard = new EngineSqlGuard({ warehouse })
  const threads = await wireThreadAnalyst(context, { analyst, warehouse, guard, model, store }, never)
  const ask = async (text: string, given: Partial<Question> = {}, signal = never) => {
    const calls = suite.calls()
    const progress: unknown[] = []
    const observe = (event: unknown) => progress.push(event)
    const question = { runId: newRunId(), thread: 'slack/T/C/1', text, askedAt: Date.now(), observe, ...given }
    const { result } = await threads.ask(question, signal)
    const prompts = calls().map(({ body }) => JSON.stringify(body.messages))
    return { result, prompts, all: [JSON.stringify([result, progress]), ...prompts].join('\n') }
  }
  return { ask, close }
}

async function runJob(definition: string, { isOld = false } = {}): Promise<void> {
  const { pipelines } = wirePipelines(context, suite.engine.warehouse)
  const { name } = await pipelines.register(definition, never)
  await pipelines.run((await pipelines.create(name, {}, never)).id, {}, never)
  if (isOld) await write("ALTER TABLE clew.operation_log UPDATE reads = '' WHERE 1 SETTINGS mutations_sync = 2")
}

/** Returns a scripted model that asks to look at every table and column that it knows by name. */
function looksAt(labels: readonly string[]) {
  const named = (name: string, key: string) => labels.map(label => ({ name, arguments: { [key]: label } }))
  const rounds = [
    [{ name: 'list_graph_nodes', arguments: {} }, ...named('get_op_sql', 'operation_id')],
    named('get_schema', 'table'),
    labels.map(label => ({ name: 'query_table', arguments: { sql: `SELECT * FROM {{ ${label} }}` } })),
    labels.map(label => ({ name: 'query_table', arguments: { sql: `SELECT nothing, b FROM {{ ${label} }}` } })),
    [
      { name: 'query_table', arguments: { sql: `SELECT toUInt8(concat('x', toString(a))) FROM {{ ${labels[0]} }}` } },
      { name: 'request_full_replay', arguments: { reason: 'only the dropped rows tell' } },
    ],
    named('get_op_sql', 'operation_id'),
  ]
  return (call: ScriptedCall) => {
    const done = call.body.messages.filter(({ role }) => role === 'assistant').length
    const calls = rounds[done]
    return calls === undefined ? `It was seen [E1].\n\nFAULT: ${labels[0]}` : toolCalls(...calls)
  }
}

const JOB = `
name: broken
inputs: { people: { source: "SELECT toUInt32(person) AS person FROM hr.salaries WHERE grade = 'zqgrade'" } }
operations: [{ name: paid, sql: "SELECT person FROM {{ people }}" }]
target: { operation: paid, table: paid_people }
`
const SECRETS = ['zqAdaqz', 'hr.salaries', 'salaries', 'grade', 'zqgrade', 'toUInt32']
const accessTo = (...tables: string[]): RunAccess => ({ grants: [{ tables, except: [] }], clickhouseRoles: [] })

describe('a source that the asker may not see', () => {
  beforeAll(async () => {
    await write('CREATE DATABASE hr')
    await write('CREATE TABLE hr.salaries (person String, grade String) ENGINE = MergeTree ORDER BY person')
    await write("INSERT INTO hr.salaries VALUES ('zqAdaqz', 'zqgrade')")
    await runJob(JOB)
  })

  it.each(['lineage broken', 'lineage broken why?', 'lineage broken --deep why?'])('is not revealed: %s', async text => {
    const { ask } = await openThread(['pipelines'])
    suite.script = { lineage: looksAt(['people', 'paid', 'paid_people']) }
    const access = accessTo('network.*', 'pipelines.*')
    const { all, result } = await ask(text, { access, askPerson: async () => 'replay' })
    for (const secret of SECRETS) expect(all).not.toContain(secret)
    if (text === 'lineage broken') expect(result.answer).toContain('**people** failed. The reason is hidden')
    if (text === 'lineage broken why?') expect(all).toContain('reads a source that the asker may not see')
    if (text.includes('--deep')) expect(result.answer).toContain('I do not run broken again for you')
  })

  it('is shown to those who may see it', async () => {
    const { ask } = await openThread(['pipelines'])
    suite.script = { lineage: looksAt(['people', 'paid', 'paid_people']) }
    const access = accessTo('hr.*', 'pipelines.*')
    expect((await ask('lineage broken', { access })).result.answer).toContain('zqAdaqz')
    const { all } = await ask('lineage broken why?', { access })
    for (const secret of SECRETS) expect(all).toContain(secret)
  })

  it('is removed from what an investigation read with other rights, when it continues', async () => {
    const { ask } = await openThread(['pipelines'])
    const runId = newRunId()
    const dying = new AbortController()
    const looks = looksAt(['people', 'paid', 'paid_people'])
    const dies = (call: ScriptedCall) => {
      if (JSON.stringify(call.body.messages).includes('zqAdaqz')) dying.abort()
      return looks(call)
    }
    suite.script = { lineage: dies }
    const asked = ask('lineage broken why?', { runId, access: accessTo('hr.*', 'pipelines.*') }, dying.signal)
    await expect(asked).rejects.toBeDefined()
    suite.script = { lineage: looks }
    const { all } = await ask('lineage broken why?', { runId, access: accessTo('pipelines.*') })
    expect(all).toContain('reads a source that the asker may not see')
    for (const secret of SECRETS) expect(all).not.toContain(secret)
    const choice = { value: 'replay', steps: [] }
    await expect(ask('Replay', { runId, choice, access: accessTo('hr.*') })).rejects.toMatchObject({ code: 'run_access' })
  })

  it('is found in the SQL of a run logged without its reads', async () => {
    await runJob(JOB.replace('name: broken', 'name: broken_before').replaceAll('people', 'folk'), { isOld: true })
    const { ask } = await openThread(['pipelines'])
    expect((await ask('lineage broken_before', { access: accessTo('hr.*', 'pipelines.*') })).result.answer).toContain('zqAdaqz')
    const { all } = await ask('lineage broken_before', { access: accessTo('pipelines.*') })
    for (const secret of SECRETS) expect(all).not.toContain(secret)
  })
})

describe('any set of grants', () => {
  let number = 0
  const worlds = walledWorlds(() => {
    number += 1
    return number
  })

  it('keeps hidden names and values out of prompts and answers, for questions and investigations', async () => {
    let hiddenSources = 0
    let toldSources = 0
    const property = fc.asyncProperty(worlds, async world => {
      const all = await everythingShown(world)
      hiddenSources += Number(all.includes('reads a source that the asker may not see'))
      toldSources += Number(/get_op_sql[\s\S]*SELECT length/.test(all))
      for (const hidden of world.hidden) expect({ at: around(all, hidden), hidden }).toEqual({ at: '', hidden })
    })
    await fc.assert(property, { numRuns: WORLDS, endOnFailure: true })
    // If nothing was hidden or nothing was shown, the test would pass without having checked anything.
    expect(Math.min(hiddenSources, toldSources)).toBeGreaterThan(0)
  })
})

async function everythingShown(world: WalledWorld): Promise<string> {
  const { job, foreignRun, databases, labels, grants } = world
  for (const sql of world.statements) await write(sql)
  await write(`INSERT INTO clew.operation_log FORMAT JSONEachRow\n${JSON.stringify(world.foreignRow)}`)
  await runJob(world.definition, world)
  const { ask, close } = await openThread([...databases, 'pipelines'])
  const access = { grants, clickhouseRoles: [] }
  const say = async (text: string, script: typeof suite.script = {}) => {
    suite.script = script
    return (await ask(text, { access, askPerson: async () => (world.wantsReplay ? 'replay' : 'answer') })).all
  }
  const catalog = { classify: () => classified({ intent: 'catalog', catalog_request: 'list' }) }
  const shown = [
    await say('What tables are there?', catalog),
    await say('How many?', { decompose: () => plan('The first.', 'The last.'), generate: readsWhatIsShown }),
    await say(`lineage ${job}`),
    await say(`lineage ${job} why?`, { lineage: looksAt(labels) }),
    await say('and what else?', { classify: () => classified({ intent: 'lineage' }), lineage: () => 'Nothing else.' }),
    await say(`lineage ${foreignRun}`),
    await say('Thanks!', { classify: () => classified({ intent: 'conversational', reply: 'You are welcome.' }) }),
    await say(`lineage ${foreignRun} why?`, { lineage: looksAt([`f_${world.job.slice(4)}`]) }),
  ]
  await close()
  return shown.join('\n')
}

/** Returns SQL that reads the first or the last table in the prompt. */
function readsWhatIsShown(call: ScriptedCall): object {
  const named = promptOf(call).match(/\bzq\w+qz\.zq\w+qz\b/g) ?? []
  const isLast = fenced(promptOf(call), 'data question').includes('last')
  return draft(`SELECT * FROM ${(isLast ? named.at(-1) : named[0]) ?? 'nothing'}`)
}

function around(text: string, word: string): string {
  const at = text.indexOf(word)
  return at < 0 ? '' : text.slice(Math.max(0, at - 200), at + 100)
}
