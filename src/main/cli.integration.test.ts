import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import { z } from 'zod'
import { createGate } from '../../test/emulators/gate.ts'
import type { ModelScript, ScriptedCall } from '../../test/emulators/model/model-script.ts'
import { answer, status } from '../../test/emulators/model/model-scripts.ts'
import { type ScriptedModel, startScriptedModel } from '../../test/emulators/model/scripted-model.ts'
import { startTestEngine, type TestEngine } from '../../test/support/engine.ts'
import { openPseudoTerminal } from '../../test/support/pseudo-terminal.ts'
import { startTestRedis, type TestRedis } from '../../test/support/redis.ts'
import { CLEW, runClew } from '../../test/support/run-clew.ts'
import { fenced, promptOf, scriptedAnalyst } from '../../test/support/scripted-analyst.ts'
import { TEST_STATE_KEY } from '../../test/support/state-key.ts'
import { runStateSchema } from '../agent/run-state.ts'

const DRAFT = { explanation: 'Looks it up.', assumptions: [], deciding_assumptions: [] }
const QUESTION = 'Which metros have links?'
const analyst = scriptedAnalyst({
  [QUESTION]: {
    queries: {
      'Links per metro.': [
        'SELECT metro, nosuch FROM links',
        'SELECT metro, sum(count) AS links FROM links GROUP BY metro ORDER BY metro',
      ],
    },
    answer: "Two metros: **ams** with 7 {= links['ams']} links and tyo with 12 {= max(links)} [Q1].",
  },
  'Thanks!': { intent: 'conversational', reply: 'You are welcome.' },
})

/** The output of `clew ask --json`. Scripts rely on its form. */
const printedSchema = z.strictObject({
  run_id: z.string().regex(/^run_[0-9a-f]{16}$/),
  intent: z.enum(['data_analysis', 'conversational', 'out_of_scope', 'catalog', 'pipeline_draft']),
  standalone_question: z.string(),
  language: z.enum(['en', 'de']),
  answer: z.string().min(1),
  note: z.string(),
  confidence: z.enum(['HIGH', 'MEDIUM', 'LOW']).nullable(),
  confidence_reason: z.string().nullable(),
  queries: z.array(
    z.object({
      id: z.string().regex(/^Q\d+$/),
      question: z.string(),
      sql: z.string().nullable(),
      explanation: z.string(),
      assumptions: z.array(z.string()),
      columns: z.array(z.strictObject({ name: z.string(), type: z.string() })),
      rows: z.array(z.array(z.unknown())),
      row_count: z.int(),
      truncated: z.boolean(),
      attempts: z.int().positive(),
      error: z.string().nullable(),
      elapsed_ms: z.number(),
    }),
  ),
  interrupt: z.unknown().nullable(),
  draft: z.null(),
  chart: z.unknown().nullable(),
  figures: z.array(
    z.strictObject({
      text: z.string(),
      query: z.string(),
      value: z.number().nullable(),
      formula: z.string().nullable(),
      cells: z.array(
        z.strictObject({
          query: z.string(),
          row: z.int().positive(),
          name: z.string().nullable(),
          column: z.string(),
          value: z.unknown(),
        }),
      ),
    }),
  ),
  citations: z.object({ checked: z.number(), unsupported: z.array(z.unknown()) }).nullable(),
  steps: z.array(
    z.strictObject({
      step: z.string(),
      query: z.string().optional(),
      started_at: z.iso.datetime(),
      duration_ms: z.number(),
      attempt: z.int().positive(),
      error: z.string().nullable(),
      model: z.string().nullable(),
      tokens_in: z.number().nullable(),
      tokens_out: z.number().nullable(),
      tokens_cached: z.number().optional(),
      cost: z.number().optional(),
      tokens_estimated: z.literal(true).optional(),
    }),
  ),
})

let engine: TestEngine
let redis: TestRedis
let model: ScriptedModel
let intercept: ((call: ScriptedCall) => ModelScript | undefined) | undefined
/** Processes that a failed test may have left running. */
const started: ChildProcess[] = []
let env: Readonly<Record<string, string>>

beforeAll(async () => {
  const starting = [startTestEngine(), startTestRedis()] as const
  model = await startScriptedModel({ onRequest: call => intercept?.(call) ?? answer(analyst(call)) })
  ;[engine, redis] = await Promise.all(starting)
  const { signal } = new AbortController()
  const table = "CREATE TABLE links (metro String, count UInt32) ENGINE = MergeTree ORDER BY metro COMMENT 'Links of each metro.'"
  for (const sql of [table, "INSERT INTO links VALUES ('ams', 7), ('tyo', 12)", 'CREATE TABLE metros (m String) ENGINE = Memory'])
    await engine.warehouse.write({ sql }, signal)
  env = { CLICKHOUSE_URL: engine.url, OPENAI_BASE_URL: model.baseUrl, OPENAI_MODEL: 'scripted' }
})
afterEach(() => {
  intercept = undefined
  for (const child of started.splice(0)) child.kill()
})
afterAll(async () => {
  await model?.close()
  await redis?.close()
  await engine?.close()
})

function without(...names: readonly string[]): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !names.includes(name)))
}

/** Expects one sentence for people, without stack, log line or file name. The id of a failed run may follow it. */
function expectSentence(errors: string): void {
  expect(errors.trim().split('\n')).toHaveLength(1)
  expect(errors).toMatch(/^[A-Z].*\.(?: \(run_[0-9a-f]{16}\))?\n$/)
  expect(errors).not.toMatch(/\.\.\n|^\s+at |node:|dist\/|\{"level"/m)
}

/** Answers every message with the draft of a pipeline, whose name is the last word of the message. */
function drafting(call: ScriptedCall): ModelScript | undefined {
  if (call.step === 'classify')
    return answer({ intent: 'pipeline_draft', standalone_question: null, catalog_request: null, table: null, reply: null })
  if (call.step !== 'draft_pipeline') return undefined
  const [name = ''] = /\w+$/.exec(fenced(promptOf(call), 'question')) ?? []
  return answer({
    name,
    inputs: [{ name: 'all_links', source: 'SELECT metro, count FROM default.links' }],
    operations: [{ name: 'counted', sql: 'SELECT sum(count) AS links FROM {{ all_links }}' }],
    target: { operation: 'counted', table: name },
  })
}

describe('clew ask', () => {
  it('prints exactly one JSON object of the promised shape', async () => {
    const { status, output, errors } = await runClew(['ask', '--json', QUESTION], env)
    expect([status, errors]).toEqual([0, ''])
    expect(output.trimEnd().split('\n')).toHaveLength(1)
    const printed = printedSchema.parse(JSON.parse(output))
    expect(printed).toMatchObject({
      intent: 'data_analysis',
      standalone_question: QUESTION,
      answer: 'Two metros: **ams** with 7 links and tyo with 12 [Q1].',
      queries: [
        {
          id: 'Q1',
          question: QUESTION,
          columns: [
            { name: 'metro', type: 'String' },
            { name: 'links', type: 'UInt64' },
          ],
          rows: [
            ['ams', '7'],
            ['tyo', '12'],
          ],
          row_count: 2,
          truncated: false,
          attempts: 2,
          error: null,
        },
      ],
      figures: [
        { text: '7', formula: null, cells: [{ query: 'Q1', row: 1, name: 'ams', column: 'links', value: '7' }] },
        { text: '12', formula: 'highest links of all 2 (tyo)', cells: [{ query: 'Q1', row: 2, name: 'tyo', value: '12' }] },
      ],
    })
    expect(printed.steps.map(step => step.step)).toEqual([
      // The first `generate` writes draft SQL before the plan is ready. The plan then accepts the draft.
      ...['schema', 'classify', 'decompose', 'generate', 'validate', 'execute', 'generate', 'validate', 'execute', 'synthesize'],
    ])
  })

  it('prints the answer and its rows, with progress on standard error', async () => {
    const { status, output, errors } = await runClew(['ask', QUESTION], env)
    expect(status).toBe(0)
    expect(output).toMatch(/^Two metros: ams with 7 links and tyo with 12 \[Q1\]\.\n/)
    expect(output).toContain('│ tyo   │    12 │')
    expect(output).not.toContain('GROUP BY')
    expect(errors).toMatch(
      /\nFor the SQL and the source of each figure, add --sources, or type \/sql and \/sources in clew chat\.\n$/,
    )
    expect(errors).toMatch(
      /^Reading the question …\n[\s\S]*Q1 Which metros have links\? \(writing SQL, attempt 2\)\n[\s\S]*Writing the answer …\n/,
    )
  })

  it('has the answer proofread by the model that is set for it', async () => {
    intercept = call => {
      if (call.step === 'proofread') return answer({ wrong: [{ line: 1, why: 'The metros are three.' }] })
      return call.step === 'rewrite' ? answer('The metros have {sum(links)} links together [Q1].') : undefined
    }
    const { status, output, errors } = await runClew(['ask', QUESTION], { ...env, CLEW_MODEL_PROOFREAD: 'reader' })
    expect(status).toBe(0)
    expect(output).toMatch(/^The metros have 19 links together \[Q1\]\.\n/)
    expect(errors).toContain('Proofreading the answer …')
    expect(model.callsOf('proofread').at(-1)?.body.model).toBe('reader')
  })

  it('shows the SQL and where the figures come from', async () => {
    const { status, output, errors } = await runClew(['ask', '--sources', QUESTION], env)
    expect(status).toBe(0)
    expect(output).toContain('\n7: Q1, row 1 (ams), links\n12: Q1, highest links of all 2 (tyo)\n')
    expect(output).toMatch(/\nQ1 Which metros have links\?\n[\s\S]*FROM links\nGROUP BY metro\n/)
    expect(errors).not.toContain('--sources')
  })

  it('asks with a role, and knows the existing roles', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'clew-cli-'))
    const own = { ...env, CLEW_ACCESS_FILE: join(folder, 'access.yaml') }
    try {
      await writeFile(own.CLEW_ACCESS_FILE, 'version: 1\nroles:\n  metros: {tables: [default.metros]}\n')
      const { status, output } = await runClew(['ask', '--json', '--as', 'metros', QUESTION], own)
      const { answer: words, queries } = printedSchema.parse(JSON.parse(output))
      expect([status, queries[0]?.rows]).toEqual([1, []])
      expect(words).toContain('Table links is not available')
      expect(model.callsOf('decompose').map(promptOf).at(-1)).not.toContain('default.links')
      const unknown = await runClew(['ask', '--as', 'links', QUESTION], own)
      expect([unknown.status, unknown.errors]).toEqual([2, 'There is no role links: there is only metros.\n'])
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })

  it('continues a named conversation, kept in Redis', async () => {
    const kept = { ...env, REDIS_URL: redis.url, CLEW_STATE_KEY: TEST_STATE_KEY }
    expect((await runClew(['ask', '--thread', 'one', QUESTION], kept)).status).toBe(0)
    expect((await runClew(['ask', '--thread', 'one', 'Thanks!'], kept)).status).toBe(0)
    const last = model.callsOf('classify').at(-1)
    expect(last && fenced(promptOf(last), 'conversation')).toContain('Two metros: **ams**')
  })

  it('succeeds even if the summary fails afterwards', async () => {
    const kept = { ...env, REDIS_URL: redis.url, CLEW_STATE_KEY: TEST_STATE_KEY, CLEW_HISTORY_TURNS: '1' }
    await runClew(['ask', '--thread', 'two', 'Thanks!'], kept)
    intercept = call => (call.step === 'summarize' ? async ({ response }) => void response.writeHead(400).end() : undefined)
    expect(await runClew(['ask', '--thread', 'two', 'Thanks!'], kept)).toMatchObject({
      status: 0,
      output: expect.stringContaining('You are welcome.'),
    })
    expect(model.callsOf('summarize').length).toBeGreaterThan(0)
  })

  it('hands over the definition of a drafted pipeline, also as a file', async () => {
    intercept = drafting
    const folder = await mkdtemp(join(tmpdir(), 'clew-draft-'))
    const file = join(folder, 'link_count.yaml')
    // Without speculation, only the steps of the draft are asked.
    const slow = { ...env, CLEW_SPECULATION: '0' }
    const { status, output, errors } = await runClew(['ask', '--json', '--out', file, 'Count the links in link_count'], slow)
    expect([status, errors]).toEqual([0, `The definition is in ${file}: clew jobs register ${file}\n`])
    const { draft, interrupt, answer: told } = JSON.parse(output)
    expect(interrupt).toBeNull()
    // There is no database of pipelines here.
    expect(draft).toMatchObject({ name: 'link_count', valid: true, warnings: [expect.stringContaining('`clew migrate`')] })
    expect(told).toContain('clew jobs register link_count.yaml')
    expect(await readFile(file, 'utf8')).toBe(draft.definition)
    expect(draft.definition).toContain('SELECT sum(count) AS links FROM {{ all_links }}')
    await rm(folder, { recursive: true })
  })

  it('prints the answer and exits with 1 and one sentence if no query ran', async () => {
    intercept = call => (call.step === 'generate' ? answer({ ...DRAFT, sql: 'SELECT nosuch FROM links' }) : undefined)
    const { status, output, errors } = await runClew(['ask', '--json', QUESTION], env)
    expect(status).toBe(1)
    expectSentence(errors)
    expect(errors).toContain('nosuch')
    const printed = printedSchema.parse(JSON.parse(output))
    expect(printed.answer).toMatch(/^I could not answer this/)
    expect(printed.queries).toMatchObject([{ attempts: 5, error: expect.stringContaining('nosuch') }])
  })

  it('exits with 1 and one sentence if the model is away or refuses the key', async () => {
    const away = await runClew(['ask', '--json', QUESTION], {
      ...env,
      OPENAI_BASE_URL: 'http://127.0.0.1:1/v1',
      CLEW_MODEL_TIMEOUT_S: '2',
    })
    expect(away.status).toBe(1)
    expectSentence(away.errors)
    const { run_id, error } = JSON.parse(away.output)
    expect(error).toEqual({ kind: 'model_unavailable', message: expect.stringContaining('OPENAI_BASE_URL') })
    expect(away.errors).toBe(`${error.message} (${run_id})\n`)
    intercept =
      () =>
      async ({ response }) =>
        void response.writeHead(401).end('{"error":{"message":"\\u001b[2Jno"}}')
    const refused = await runClew(['ask', '--json', QUESTION], { ...env, OPENAI_API_KEY: 'sk-0123456789' })
    expect(refused.status).toBe(1)
    expectSentence(refused.errors)
    expect(`${refused.output}${refused.errors}`).not.toMatch(/sk-0123456789|(?!\n)\p{Cc}/u)
  })

  it.each([
    ['a German question', 'Welche Metros gibt es?', {}],
    ['a question of no language at a German terminal', 'ams?', { LC_ALL: 'de_DE.UTF-8' }],
  ])('fails in German for %s', async (_, question, locale) => {
    const { status, errors } = await runClew(['ask', question], {
      ...env,
      ...locale,
      OPENAI_BASE_URL: 'http://127.0.0.1:1/v1',
      CLEW_MODEL_TIMEOUT_S: '2',
    })
    expect(status).toBe(1)
    expect(errors).toMatch(/^Das Sprachmodell (?:war nicht erreichbar|hat zu lange gebraucht)\..*OPENAI_BASE_URL/m)
    expect(errors).toContain('Ich lese die Frage')
  })

  it.each([
    ['no model', () => without('OPENAI_BASE_URL'), /OPENAI_API_KEY and OPENAI_MODEL/],
    ['no warehouse', () => without('CLICKHOUSE_URL'), /set CLICKHOUSE_URL/],
    [
      'a warehouse that refuses the password',
      () => ({ ...env, CLICKHOUSE_URL: engine.url.replace(/:[^:@]*@/, ':wrong@') }),
      /^CLICKHOUSE_URL: /,
    ],
    ['a wrong variable', () => ({ ...env, CLEW_QUERY_MAX_ROWS: 'many' }), /CLEW_QUERY_MAX_ROWS must be/],
    ['a folder of prompts that has none', () => ({ ...env, CLEW_PROMPTS_DIR: 'src' }), /CLEW_PROMPTS_DIR is \/.*\/src,/],
    [
      'rules of access that are not there',
      () => ({ ...env, CLEW_ACCESS_FILE: 'nowhere.yaml' }),
      /CLEW_ACCESS_FILE is nowhere.yaml/,
    ],
    ['a Redis that is no address', () => ({ ...env, REDIS_URL: 'redis://' }), /REDIS_URL/],
  ])('exits with 2 and says what to set for %s', async (_, wrong, message) => {
    const { status, output, errors } = await runClew(['ask', QUESTION], wrong())
    expect([status, output]).toEqual([2, ''])
    expectSentence(errors)
    expect(errors).toMatch(message)
  })

  it('treats blank variables as absent', async () => {
    const blank = { CLEW_LOG_LEVEL: '', REDIS_URL: '', CLEW_PROMPTS_DIR: '', CLEW_TIME_ZONE: '' }
    expect((await runClew(['ask', 'Thanks!'], { ...env, ...blank })).status).toBe(0)
  })

  it('tells with --out that no pipeline was drafted', async () => {
    const { status, errors } = await runClew(['ask', '--json', '--out', '/nowhere/x.yaml', QUESTION], env)
    expect([status, errors]).toEqual([0, expect.stringContaining('No pipeline was drafted, so nothing is written')])
  })

  it('groups its commands in its help, and says of no flag that it is off', async () => {
    const { output } = await runClew(['--help'], {})
    expect(output).toMatch(/^Ask:\n +ask /m)
    expect(output).not.toContain('Commands:')
    expect((await runClew(['ask', '--help'], {})).output).not.toContain('default: false')
  })

  it('ends in silence if nobody reads its output any more', async () => {
    const { CLICKHOUSE_URL: url = '' } = env
    const child = spawn(process.execPath, [CLEW, 'guard', '--scope', 'default.links'], {
      env: { PATH: process.env.PATH ?? '', CLICKHOUSE_URL: url },
    })
    child.stdout.destroy()
    let errors = ''
    child.stderr.setEncoding('utf8').on('data', part => {
      errors += part
    })
    child.stdin.on('error', () => {})
    child.stdin.end('{ "id": 1, "sql": "SELECT 1" }\n'.repeat(50))
    const [code] = await once(child, 'close')
    expect([code, errors]).toEqual([0, ''])
  })

  it('exits with 2 for an unknown or incomplete command or option', async () => {
    const wrong = [
      [['nonsense'], 'clew --help lists the commands'],
      [['help', 'nonsense'], 'clew --help lists the commands'],
      [['jobs', 'nonsense'], 'clew jobs --help lists the commands'],
      [['help', 'jobs', 'nonsense'], 'clew jobs --help lists the commands'],
      [['ask'], 'clew ask --help tells more; a question stands in quotes'],
      [['ask', 'how', 'many'], 'clew ask --help tells more; a question stands in quotes'],
      [['ask', '--thread', ' ', 'x'], 'clew ask --help tells more; a question stands in quotes'],
      [['ask', '--jsn', 'x'], 'clew ask --help tells more; a question stands in quotes'],
      [['guard'], 'clew guard --help tells more'],
      [['domain', 'verify'], 'clew domain verify --help tells more'],
    ] as const
    const told = wrong.map(async ([args, hint]) => ({ hint, ...(await runClew(args, env)) }))
    for (const { status, output, errors, hint } of await Promise.all(told)) {
      expect([status, output]).toEqual([2, ''])
      expect(errors).toMatch(/^error: /)
      expect(errors).toContain(`\n(${hint})\n`)
    }
  })

  it.each([
    ['bots', ['SLACK_BOT_TOKEN', 'REDIS_URL']],
    ['serve', ['REDIS_URL']],
    ['worker', ['REDIS_URL', 'CLICKHOUSE_URL', 'OPENAI_API_KEY']],
  ])('lists everything that %s lacks at once, before it serves anything', async (command, variables) => {
    const { status, output, errors } = await runClew([command], {})
    expect([status, output]).toEqual([2, ''])
    const lines = errors.trim().split('\n')
    expect(lines).toEqual(variables.map(variable => expect.stringMatching(`^No .* configured: set ${variable}`)))
  })

  it('explains a subcommand without running it', async () => {
    const commands = [
      ['help', 'jobs', 'run'],
      ['help', 'ask', 'Thanks!'],
    ]
    const [run, ask] = await Promise.all(commands.map(args => runClew(args, {})))
    expect(run).toMatchObject({ status: 0, output: expect.stringMatching(/^Usage: clew jobs run /), errors: '' })
    expect(ask).toMatchObject({ status: 0, output: expect.stringMatching(/^Usage: clew ask /), errors: '' })
  })

  it('warns that a named conversation is not kept without Redis', async () => {
    expect(await runClew(['ask', '--json', '--thread', 'costs', 'Thanks!'], env)).toMatchObject({
      status: 0,
      errors: 'The conversation costs ends with this command: to keep it, set REDIS_URL.\n',
    })
  })
})

describe('a variable that Clew does not read', () => {
  it.each(['ask x', 'bots', 'doctor', 'serve', 'worker'])('is named by clew %s, with the near one', async command => {
    const { output, errors } = await runClew(command.split(' '), { CLEW_QEURY_MAX_ROWS: '5' })
    expect(output + errors).toContain('Clew does not read CLEW_QEURY_MAX_ROWS: did you mean CLEW_QUERY_MAX_ROWS')
  })
})

describe('clew --env', () => {
  it('reads a file, whose variables count less than those that are set', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'clew-env-'))
    const file = join(folder, 'settings.env')
    await writeFile(file, 'CLEW_TIME_ZONE=nowhere\nCLEW_LOG_LEVEL=loud\n')
    const { status, errors } = await runClew(['schema', '--env', file], { CLEW_TIME_ZONE: 'UTC' })
    await rm(folder, { recursive: true })
    expect([status, errors]).toEqual([
      2,
      expect.stringMatching(/^The configuration is wrong: CLEW_LOG_LEVEL must be one of [^;]+$/),
    ])
  })

  it('names a file that is not there', async () => {
    const { status, errors } = await runClew(['schema', '--env', '/nowhere/.env'], {})
    expect([status, errors]).toEqual([
      2,
      expect.stringContaining('/nowhere/.env, cannot be read: there is no such file or folder.'),
    ])
  })
})

describe('clew demo', () => {
  it.each([['--onec'], ['once'], ['--once=yes']])('refuses %s', async argument => {
    const { status, output, errors } = await runClew(['demo', argument], {})
    expect({ status, output, errors }).toMatchObject({
      status: 2,
      output: '',
      errors: expect.stringContaining('clew demo --help'),
    })
  })

  it('serves its console on another port if its own is taken, and its link leads there', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { port } = other.address() as AddressInfo
    const folder = await mkdtemp(join(tmpdir(), 'clew-demo-'))
    const env = { PORT: String(port), REDIS_URL: redis.url, CLICKHOUSE_URL: `chdb:${folder}`, CLEW_STATE_KEY: TEST_STATE_KEY }
    let page: Promise<readonly [served: number, status: number]> | undefined
    const { status } = await runClew(['demo'], env, {
      onOutput: (output, kill) => {
        const link = /Sign in with (\S+)\n/.exec(output)?.[1]
        if (link === undefined || page !== undefined) return
        const read = async () => [Number(new URL(link).port), (await fetch(link)).status] as const
        page = read().finally(() => kill('SIGTERM'))
      },
    })
    other.close()
    await rm(folder, { recursive: true })
    expect([status, await page]).toEqual([0, [expect.any(Number), 200]])
    expect((await page)?.[0]).not.toBe(port)
  }, 180_000)
})

describe('clew schema', () => {
  it('lists the tables or describes one, as text and as JSON', async () => {
    const nowhere = await runClew(['schema'], { ...env, CLICKHOUSE_DATABASE: 'nowhere' })
    expect(nowhere).toMatchObject({
      status: 1,
      errors: expect.stringMatching(
        /CLICKHOUSE_DATABASE: .*nowhere.* not exist.*\. Set CLICKHOUSE_DATABASE to one that has tables: default\./,
      ),
    })
    const commands = [['schema'], ['schema', 'LINKS'], ['schema', '--json'], ['schema', '--json', 'links']]
    const [list, one, all, json] = await Promise.all(commands.map(args => runClew(args, env)))
    expect(list).toMatchObject({ status: 0, output: expect.stringMatching(/• links \(2 rows\): Links of each metro\./) })
    expect(one).toMatchObject({ status: 0, output: expect.stringMatching(/default\.links[\s\S]*│ count +│ UInt32/) })
    expect(
      JSON.parse(all?.output ?? '')
        .tables.map((table: { name: string }) => table.name)
        .sort(),
    ).toEqual(['links', 'metros'])
    expect(JSON.parse(json?.output ?? '')).toMatchObject({ database: 'default', name: 'links', rows: 2 })
  })

  it('exits with 1 for an unknown table, and suggests a near name', async () => {
    expect(await runClew(['schema', '--json', 'linsk'], env)).toEqual({
      status: 1,
      output: '',
      errors: 'There is no table linsk. Did you mean default.links?\n',
    })
    expect((await runClew(['schema', 'zzzzzz'], env)).errors).toBe('There is no table zzzzzz. clew schema lists the tables.\n')
    expect(await runClew(['schema', ''], env)).toMatchObject({ status: 0, output: expect.stringContaining('links') })
  })

  it('says where tables may be if there are none', async () => {
    const { status, errors } = await runClew(['schema'], { CLICKHOUSE_URL: 'chdb:memory' })
    expect(status).toBe(0)
    expect(errors).toMatch(/No database that this user sees has tables: load files \(`clew load FILE…`\)[^\n]*\n$/)
  })
})

describe('clew guard', () => {
  it('judges each line, and exits with 2 if one is malformed', async () => {
    const input =
      '{"id":1,"sql":"select count() from links"}\n{"id":2,"sql":"DROP TABLE links"}\n{"id":3,"sql":"SELECT * FROM system.users"}\n'
    const judged = await runClew(['guard', '--scope', 'default.links'], env, { input })
    expect([judged.status, judged.errors]).toEqual([0, ''])
    expect(
      judged.output
        .trimEnd()
        .split('\n')
        .map(line => JSON.parse(line)),
    ).toEqual([
      {
        id: 1,
        verdict: 'allow',
        code: null,
        message: null,
        canonical: 'SELECT count() FROM links',
        tables: ['default.links'],
        functions: ['count'],
      },
      expect.objectContaining({ id: 2, verdict: 'reject', code: 'not_select', canonical: null }),
      expect.objectContaining({ id: 3, verdict: 'reject', code: 'out_of_scope', canonical: null }),
    ])
    const malformed = await runClew(['guard', '--scope', 'default.links'], env, { input: 'x\n{"id":1,"sql":"SELECT 1"}' })
    expect(malformed.status).toBe(2)
    expect(
      malformed.output
        .trimEnd()
        .split('\n')
        .map(line => JSON.parse(line).code),
    ).toEqual(['malformed_line', null])
  })
})

describe('clew trace', () => {
  it("shows a run's steps, as a table and as JSON", async () => {
    const kept = { ...env, REDIS_URL: redis.url, CLEW_STATE_KEY: TEST_STATE_KEY }
    const { run_id, steps } = printedSchema.parse(JSON.parse((await runClew(['ask', '--json', QUESTION], kept)).output))
    const table = await runClew(['trace', run_id], kept)
    expect(table).toMatchObject({ status: 0, errors: '' })
    expect(table.output.replace(/\s+/g, ' ')).toMatch(/synthesize .*scripted, temperature 0/)
    const json = await runClew(['trace', '--json', run_id], kept)
    const state = runStateSchema.parse(JSON.parse(json.output))
    expect(state).toMatchObject({ version: 1, run_id, request: { question: QUESTION }, checkpoints: [], question: null })
    expect(state.log.map(entry => [entry.step, entry.attempt])).toEqual(steps.map(step => [step.step, step.attempt]))
    // The state of a run that has ended must not contain values from the rows of results.
    expect(json.output).not.toContain('tyo')
  })

  it("shows repeated requests, and what the answer has cost by the operator's prices", async () => {
    const folder = await mkdtemp(join(tmpdir(), 'clew-prices-'))
    const kept = { ...env, REDIS_URL: redis.url, CLEW_STATE_KEY: TEST_STATE_KEY, CLEW_PRICES_FILE: join(folder, 'prices.yaml') }
    try {
      await writeFile(kept.CLEW_PRICES_FILE, 'scripted: { input: 1, cached_input: 0.1, output: 10 }\n')
      const usage = { prompt_tokens: 1000, completion_tokens: 100, prompt_tokens_details: { cached_tokens: 500 } }
      let isBusy = true
      intercept = call => {
        if (call.step !== 'synthesize' || !isBusy) return answer(analyst(call), { usage })
        isBusy = false
        return status(503)
      }
      const { run_id, steps } = printedSchema.parse(JSON.parse((await runClew(['ask', '--json', QUESTION], kept)).output))
      const asked = steps.filter(({ model }) => model !== null)
      expect(asked.find(({ step }) => step === 'synthesize')).toMatchObject({
        tokens_in: 1000,
        tokens_cached: 500,
        cost: 0.00155,
      })
      const table = await runClew(['trace', run_id], kept)
      expect(table.output).toContain('1000 (500 cached) → 100')
      expect(table.output.replace(/\s+/g, ' ')).toMatch(/\(requests: failed 503, \d+ ms later, answered\)/)
      const sum = { tokens: asked.reduce((total, each) => total + (each.tokens_in ?? 0), 0) }
      expect(table.output).toMatch(new RegExp(`tokens: ~?${sum.tokens} .*; cost: ~?\\$0\\.0\\d+\\n$`))
      await writeFile(kept.CLEW_PRICES_FILE, 'scripted: { input: -1, output: 10 }\n')
      const wrong = await runClew(['ask', QUESTION], kept)
      expect([wrong.status, wrong.errors]).toEqual([2, expect.stringContaining('line 1: scripted.input must be 0 or more')])
    } finally {
      await rm(folder, { recursive: true })
    }
  })

  it('exits with 1 for an unknown run or a silent Redis, and with 2 without Redis', async () => {
    const away = await runClew(['trace', 'run_0000000000000000'], { ...env, REDIS_URL: 'redis://127.0.0.1:9' })
    expect(away.status).toBe(1)
    expect(away.errors).toMatch(/^REDIS_URL \(redis:\/\/127\.0\.0\.1:9\) cannot be used: .*ECONNREFUSED/)
    const unknown = await runClew(['trace', 'run_0000000000000000'], {
      ...env,
      REDIS_URL: redis.url,
      CLEW_STATE_KEY: TEST_STATE_KEY,
    })
    expect([unknown.status, unknown.output]).toEqual([1, ''])
    expectSentence(unknown.errors)
    const kept = { ...env, REDIS_URL: redis.url, CLEW_STATE_KEY: TEST_STATE_KEY }
    const asJson = await runClew(['trace', '--json', 'run_0000000000000000'], kept)
    expect(JSON.parse(asJson.output)).toMatchObject({ run_id: null, error: { kind: 'not_found' } })
    const without = await runClew(['trace', 'run_0000000000000000'], env)
    expect(without.status).toBe(2)
    const unasked = await runClew(['lineage', '--deep', 'daily'], env)
    expect([unasked.status, unasked.errors]).toEqual([2, expect.stringContaining('--deep runs daily again for a question')])
    expect(without.errors).toContain('REDIS_URL')
  })
})

describe('clew chat', () => {
  it('answers each line of its input, and obeys commands, to the end', async () => {
    const lines = ['/sql', QUESTION, '', '/sql', '/table q1', '/table Q7', '/nonsense', '/help', 'Thanks!', '/new', '/sql']
    const { status, output, errors } = await runClew(['chat'], env, { input: lines.join('\n') })
    expect([status, errors]).toEqual([0, ''])
    expect(output.match(/No query to show/g)).toHaveLength(2)
    expect(output).toContain('There is no Q7: the last answer has Q1.')
    expect(output).toContain('Two metros: ams with 7 links and tyo with 12 [Q1].')
    expect(output).toMatch(
      /Q1 Which metros have links\?\nSELECT\n {4}metro,\n {4}sum\(count\) AS links\nFROM links\nGROUP BY metro\nORDER BY metro ASC/,
    )
    expect(output).toContain('│ tyo   │    12 │')
    expect(output).toContain('There is no /nonsense.')
    expect(output).toContain('Ctrl-C stops an answer that is under way, clears a line that is typed')
    expect(output).toContain('You are welcome.')
    expect(output).toContain('A new conversation.')
  })

  it('continues after an error, which it reports in a sentence', async () => {
    let failed = false
    intercept = call => {
      if (failed || call.step !== 'classify') return undefined
      failed = true
      return async ({ response }) => void response.writeHead(401).end()
    }
    const { status, output } = await runClew(['chat'], env, { input: 'Thanks!\nThanks!\n' })
    expect(status).toBe(0)
    expect(output).toMatch(/model.*\n[\s\S]*You are welcome\./)
  })

  it('leaves at /quit, and ignores later lines', async () => {
    const before = model.calls.length
    expect((await runClew(['chat'], env, { input: '/quit\nThanks!\n' })).status).toBe(0)
    expect(model.calls.length).toBe(before)
  })

  it('stops on request, even during an answer', async () => {
    const gate = createGate()
    intercept = () => answer('{}', { after: gate.opened })
    const index = model.callsOf('classify').length
    const child = spawn(process.execPath, [CLEW, 'chat'], {
      env: { PATH: process.env.PATH ?? '', ...env },
      stdio: ['pipe', 'ignore', 'ignore'],
    })
    started.push(child)
    child.stdin.write('Thanks!\n')
    const call = await model.arrival('classify', index)
    child.kill('SIGTERM')
    const [status] = await once(child, 'close')
    gate.open()
    expect([status, await call.left]).toEqual([0, true])
  })

  const onLinux = process.platform === 'linux' ? it : it.skip
  onLinux('at a terminal, Ctrl-C stops the answer, and not the session', async () => {
    const gate = createGate()
    let held = false
    intercept = call => {
      if (held || call.step !== 'classify') return undefined
      held = true
      return answer('{}', { after: gate.opened })
    }
    const index = model.callsOf('classify').length
    const terminal = openPseudoTerminal(['chat'], env)
    started.push(terminal.child)
    await terminal.shows('› ')
    terminal.type(`${QUESTION}\r`)
    const call = await model.arrival('classify', index)
    await terminal.shows('Reading the question')
    terminal.type('\u0003')
    await terminal.shows('Stopped.')
    expect(await call.left).toBe(true)
    gate.open()
    terminal.type('Thanks!\r')
    await terminal.shows('You are welcome.')
    terminal.type('/quit\r')
    expect(await terminal.ended).toBe(0)
  })

  onLinux('at a terminal, the draft of a pipeline is changed in words, and handed over by a choice', async () => {
    intercept = drafting
    const terminal = openPseudoTerminal(['chat'], { ...env, CLEW_SPECULATION: '0', NO_COLOR: '1' })
    started.push(terminal.child)
    await terminal.shows('› ')
    terminal.type('Count the links in link_count\r')
    await terminal.shows('1. Hand over the file')
    terminal.type('Call it all_of_them\r')
    await terminal.shows('Draft of the pipeline all_of_them')
    terminal.type('1\r')
    await terminal.shows('clew jobs register all_of_them.yaml')
    terminal.type('/quit\r')
    expect(await terminal.ended).toBe(0)
  })

  onLinux('at a terminal, Ctrl-C clears the line that is typed, and leaves where none is when it is pressed twice', async () => {
    const terminal = openPseudoTerminal(['chat'], env)
    started.push(terminal.child)
    await terminal.shows('› ')
    const asked = model.callsOf('classify').length
    terminal.type('How many bi')
    await terminal.shows('How many bi')
    terminal.type('\u0003Thanks!\r')
    await terminal.shows('You are welcome.')
    expect(model.callsOf('classify').slice(asked).map(promptOf)).toEqual([expect.not.stringContaining('How many bi')])
    terminal.type('\u0003')
    await terminal.shows('Press Ctrl-C again to leave.')
    terminal.type('\u0003')
    expect(await terminal.ended).toBe(0)
  })

  onLinux('at a terminal, Ctrl-C right after an answer loses nothing of the conversation', async () => {
    const gate = createGate()
    intercept = call => (call.step === 'summarize' ? answer('They thanked each other.', { after: gate.opened }) : undefined)
    const summarized = model.callsOf('summarize').length
    const terminal = openPseudoTerminal(['chat'], { ...env, CLEW_HISTORY_TURNS: '1' })
    started.push(terminal.child)
    await terminal.shows('› ')
    terminal.type(`${QUESTION}\r`)
    await terminal.shows('Two metros')
    terminal.type('Thanks!\r')
    const summary = await model.arrival('summarize', summarized)
    terminal.type('\u0003')
    await terminal.shows('Press Ctrl-C again to leave.')
    const next = model.callsOf('classify').length
    terminal.type('Thanks!\r')
    gate.open()
    expect(await summary.left).toBe(false)
    const call = await model.arrival('classify', next)
    expect(fenced(promptOf(call), 'conversation')).toContain('They thanked each other.')
    terminal.type('/quit\r')
    expect(await terminal.ended).toBe(0)
  })
})
