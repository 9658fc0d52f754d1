import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals'
import type { ModelScript, ScriptedCall } from '../../../test/emulators/model/model-script.ts'
import { answer, toolCalls } from '../../../test/emulators/model/model-scripts.ts'
import { type ScriptedModel, startScriptedModel } from '../../../test/emulators/model/scripted-model.ts'
import { startTestEngine, type TestEngine } from '../../../test/support/engine.ts'
import { FOREIGN_RUN, writeForeignRun } from '../../../test/support/foreign-run.ts'
import { promptOf } from '../../../test/support/scripted-analyst.ts'
import { sourceLines } from '../../answer-check/workings/figure-source.ts'
import { createLogger } from '../../base/logger.ts'
import { EngineSqlGuard } from '../../clickhouse/guard/engine-sql-guard.ts'
import { EngineQueryValidator } from '../../clickhouse/validation/engine-query-validator.ts'
import { RunLog } from '../../history/run-log.ts'
import { OpenAILanguageModel } from '../../llm/openai-language-model.ts'
import { Prompts } from '../../llm/prompts.ts'
import { JobRegistry } from '../../pipelines/jobs/registry.ts'
import { JobStore } from '../../pipelines/jobs/store.ts'
import { OperationLogSource } from '../../pipelines/lineage/operation-log-source.ts'
import { OperationLog } from '../../pipelines/log/operation-log.ts'
import { Pipelines } from '../../pipelines/pipelines.ts'
import { StateDatabase, timeText } from '../../pipelines/state-database.ts'
import { PipelineTables } from '../../pipelines/tables.ts'
import { createMemoryStateStore } from '../../store/memory-state-store.ts'
import type { StateStore } from '../../store/state-store.ts'
import type { Observation } from '../../telemetry/observation.ts'
import { privateColumnTest } from '../../warehouse/private-columns.ts'
import type { AnalystAnswer, Question } from '../analyst.ts'
import type { AskPerson } from '../ask-back/interrupt.ts'
import { OpenQuestions } from '../ask-back/open-questions.ts'
import { askInThread } from '../ask-in-thread.ts'
import { LINEAGE_LIMITS } from '../limits.ts'
import { ThreadAnalyst } from '../thread-analyst.ts'
import { LineageAnalyst } from './analyst.ts'
import type { LineageDeps, LineageRequest } from './context.ts'
import { investigate } from './investigate.ts'
import { createPipelineReplayer } from './pipeline-replayer.ts'
import type { Replayer, ReplayRequest } from './replayer.ts'
import type { LineageResult } from './result.ts'

jest.setTimeout(60_000)

const path = (relative: string) => fileURLToPath(new URL(`../../../${relative}`, import.meta.url))
const DEFINITION = readFileSync(path('demo/pipelines/cve_enrichment.yaml'), 'utf8')
const logger = createLogger({ level: 'silent' })
const signal = new AbortController().signal

let engine: TestEngine
let model: ScriptedModel
let pipelines: Pipelines
let source: OperationLogSource
let jobId: string
let budget = { maxRows: 1_000_000, maxBytes: 0 }
/** The clock of the investigations is this many milliseconds ahead. */
let lateMs = 0
/** The model's actions in each round. In further rounds, the model repeats the last action. */
let rounds: readonly ((call: ScriptedCall) => ModelScript)[] = []

const write = (sql: string) => engine.warehouse.write({ sql, database: 'default' }, signal)

beforeAll(async () => {
  engine = await startTestEngine()
  model = await startScriptedModel({
    onRequest: call => (rounds[Math.min(call.index - started, rounds.length - 1)] ?? (() => answer('Nothing.')))(call),
  })
  const { warehouse } = engine
  const state = new StateDatabase(warehouse, 'clew')
  const tables = new PipelineTables(warehouse, 'pipelines')
  await tables.createDatabase(signal)
  await state.migrate(path('migrations'), Date.now, signal)
  for (const sql of [
    'CREATE DATABASE security',
    'CREATE TABLE security.cve_feed (cve_id String, revision UInt8, channel String, vendor_code String, product String, score Float64, state String, published Date) ENGINE = MergeTree ORDER BY cve_id',
    "INSERT INTO security.cve_feed VALUES ('CVE-1', 1, 'vendor', 'AP-001', 'httpd', 5.1, 'published', '2026-02-01'), ('CVE-2', 1, 'vendor', 'MS-001', 'Windows', 9.8, 'published', '2026-02-02'), ('CVE-2', 2, 'vendor', 'MS-001', 'Windows', 9.9, 'published', '2026-02-02')",
    'CREATE TABLE security.vendor_codes (vendor_code String, vendor String, contact String) ENGINE = MergeTree ORDER BY vendor_code',
    "INSERT INTO security.vendor_codes VALUES ('AP-001', 'Apache', 'a@example.com'), ('GO-001', 'Google', 'b@example.com')",
  ])
    await write(sql)
  const jobs = new JobStore(state)
  const registry = new JobRegistry({ state, now: Date.now })
  const log = new OperationLog(state)
  const deps = { warehouse, registry, jobs, log, tables, preservation: 'NONE' as const, now: Date.now, logger }
  let ids = 0
  const newJobId = () => {
    ids += 1
    return `job_${ids}`
  }
  pipelines = new Pipelines({ ...deps, newJobId })
  source = new OperationLogSource({ jobs, registry, log, tables })
  await pipelines.register(DEFINITION, signal)
  jobId = (await pipelines.run((await pipelines.create('cve_enrichment', {}, signal)).id, {}, signal)).id
})
afterEach(() => engine.inject())
afterAll(async () => {
  await model.close()
  await engine.close()
})

let started = 0
let observed: Observation[] = []
let investigations = 0

async function ask(
  given: Partial<LineageRequest> = {},
  options: { readonly askPerson?: AskPerson; readonly replayer?: Replayer } = {},
): Promise<LineageResult> {
  started = model.callsOf('lineage').length
  observed = []
  investigations += 1
  const store = createMemoryStateStore({ now: Date.now })
  return investigate(
    {
      ...(await openDeps(options.replayer)),
      request: {
        job: 'cve_enrichment',
        question: 'Why is the vendor of CVE-2 NULL?',
        isDeep: false,
        language: 'en',
        conversation: '',
        askedAt: '2026-03-01T12:00:00Z',
        timeZone: 'UTC',
        ...given,
      },
      log: await RunLog.open(`run_${investigations}`, { store, now: Date.now }, signal),
      observe: () => {},
      ...(options.askPerson && { askPerson: options.askPerson }),
    },
    signal,
  )
}

async function openDeps(replayer?: Replayer): Promise<LineageDeps> {
  return {
    model: new OpenAILanguageModel({
      apiKey: 'k',
      baseUrl: model.baseUrl,
      model: 'm',
      idleTimeoutMs: 5_000,
      totalTimeoutMs: 10_000,
      logger,
      random: () => 0,
      now: Date.now,
    }),
    prompts: await Prompts.load(path('prompts')),
    dialect: 'clickhouse',
    guard: new EngineSqlGuard({ warehouse: engine.warehouse }),
    warehouse: engine.warehouse,
    validatorOn: warehouse => new EngineQueryValidator({ warehouse, maxRows: LINEAGE_LIMITS.mostRows }),
    isPrivate: privateColumnTest(['contact']),
    budget,
    source,
    replayer: replayer ?? createPipelineReplayer({ pipelines, now: Date.now }),
    telemetry: each => void observed.push(each),
    logger,
    now: () => Date.now() + lateMs,
    timeoutMs: 120_000,
    linkHosts: [],
  }
}

const query = (sql: string) => ({ name: 'query_table', arguments: { sql } })
/** Returns the tool results of the round before. */
const returned = (call: ScriptedCall) => call.body.messages.flatMap(message => (message.role === 'tool' ? [message.content] : []))

const ROOT_CAUSE = 'The vendor of CVE-2 is NULL because `vendors` has no row for its code MS-001'

describe('an investigation', () => {
  it('follows the SQL to the rows, and proves its answer by them', async () => {
    rounds = [
      () =>
        toolCalls(
          { name: 'get_op_sql', arguments: { operation_id: 'with_vendor' } },
          { name: 'get_op_sql', arguments: { operation_id: 'vendors' } },
        ),
      () =>
        toolCalls(
          query("SELECT cve_id, vendor FROM pipelines.t_final WHERE cve_id = 'CVE-2'"),
          query(
            "SELECT cve_id, max(revision) AS revision, any(vendor_code) AS vendor_code FROM pipelines.p_cves WHERE cve_id = 'CVE-2' GROUP BY cve_id",
          ),
          query("SELECT count() AS matching FROM pipelines.p_vendors WHERE vendor_code = 'MS-001'"),
        ),
      () =>
        answer(
          `${ROOT_CAUSE} [E4, E5].\n\n- The feed gives CVE-2 the code MS-001 [E4].\n- \`vendors\` has 0 matching rows for it [E5].\n\nAdd \`MS-001\` to \`security.vendor_codes\` [E5].\n\nFAULT: p_vendors`,
        ),
    ]
    const result = await ask()
    expect(result).toMatchObject({
      job: 'cve_enrichment',
      job_id: jobId,
      tier: 1,
      root_cause: `${ROOT_CAUSE.replaceAll('`', '')}.`,
      replay: null,
      rounds: 2,
      citations: { unsupported: [] },
    })
    expect(result.answer.split('\n')[0]).toBe(`${ROOT_CAUSE} [E1, E2].`)
    expect(result.answer).not.toContain('FAULT')
    expect(result.suspected_table).toBe('vendors')
    const nodes = result.graph?.nodes ?? []
    expect(nodes.filter(({ suspected }) => suspected)).toMatchObject([{ label: 'vendors', kind: 'input', rows: 2 }])
    expect(nodes.filter(({ state }) => state === 'gone').map(({ label }) => label)).toEqual([
      'latest_versions',
      'rated',
      'with_vendor',
    ])
    expect(result.evidence.map(({ id, table, rows }) => [id, table, rows])).toEqual([
      ['E1', 'cves', [['CVE-2', 2, 'MS-001']]],
      ['E2', 'vendors', [['0']]],
    ])
    expect(result.tool_calls.map(({ tool, ok }) => [tool, ok])).toEqual([
      ['get_op_sql', true],
      ['get_op_sql', true],
      ['query_table', true],
      ['query_table', true],
      ['query_table', true],
    ])
    expect(result.tool_calls.slice(3).map(({ tables, evidence }) => [tables, evidence])).toEqual([
      [['cves'], 'E1'],
      [['vendors'], 'E2'],
    ])
    const [first, second] = model.callsOf('lineage').slice(started)
    expect(promptOf(first as ScriptedCall)).toMatch(
      /- rated: pipelines\.t_[0-9a-f]{16} \(intermediate; gone; 2 rows in the run; made from latest_versions: /,
    )
    expect(promptOf(first as ScriptedCall)).toContain('- vendor ← vendors.vendor')
    expect(returned(second as ScriptedCall).join('\n')).toMatch(/LEFT JOIN/)
    expect(returned(second as ScriptedCall).join('\n')).toContain('which rows ← ')
  })

  it('writes formulas out over the rows of the evidence, and keeps the source of each figure', async () => {
    rounds = [
      () => toolCalls({ name: 'get_op_sql', arguments: { operation_id: 'with_vendor' } }),
      () =>
        toolCalls(
          query('SELECT count() AS vendors FROM {{ vendors }}'),
          query('SELECT cve_id, vendor_code, max(score) AS score FROM {{ cves }} GROUP BY cve_id, vendor_code ORDER BY cve_id'),
        ),
      () =>
        answer(
          [
            'The {E3.count(): word} CVEs of `cves` score {avg(E3.C)} on average, and `vendors` has 2 {=E2.A1} rows [E3, E2].',
            '',
            '- CVE-2 has {100 * C2 / sum(C)} % of the score, so `{{ vendors }}` matters [E3].',
            "- This has {count(B = 'XX-9')} rows [E3].",
            '- CVE-1 scores 6.1 {=C1} [E3].',
            '',
            '{table E3: CVE = cve_id, Code = B, Score = C}',
            '',
            'FAULT: vendors',
          ].join('\n'),
        ),
    ]
    const result = await ask()
    expect(returned(model.callsOf('lineage').at(-1) as ScriptedCall).at(-1)).toContain(
      '| # | A: cve_id (String) | B: vendor_code (String) | C: score (Float64) |\n| --- | --- | --- | --- |\n| 1 | CVE-1 | AP-001 | 5.1 |',
    )
    expect(result.answer.split('\n')).toEqual([
      'The two CVEs of `cves` score 7.5 on average, and `vendors` has 2 rows [E1, E2].',
      '',
      '- CVE-2 has 66 % of the score, so `{{ vendors }}` matters [E1].',
      '- CVE-1 scores 6.1 [E1]. _(unverified)_',
      '',
      '',
      '| CVE | Code | Score |',
      '| --- | --- | --- |',
      '| CVE-1 | AP-001 | 5.1 |',
      '| CVE-2 | MS-001 | 9.9 |',
      '',
      '[E1]',
    ])
    expect(result.citations.unsupported).toHaveLength(2)
    expect(result.evidence.map(({ id, table }) => [id, table])).toEqual([
      ['E1', 'cves'],
      ['E2', 'vendors'],
    ])
    expect(sourceLines(result.figures, 'en')).toEqual([
      'two: E1, all 2 rows',
      '7.5: E1, average score of all 2',
      '2: E2, row 1, vendors',
      '66 %: E1, 100 × score of CVE-2 ÷ sum of score of all 2',
      'Score: E1, score of each row',
    ])
    expect(
      model
        .callsOf('rewrite')
        .at(-1)
        ?.body.messages.map(({ content }) => content)
        .join('\n'),
    ).toContain('## E1')
  })

  it('marks claims that the rows do not show, and uses no numbers as table names', async () => {
    const number = (await source.operations(jobId, signal)).find(({ operation }) => operation === 'rated')?.result.name
    rounds = [
      () => toolCalls(query('SELECT count() AS cves FROM pipelines.p_cves')),
      () =>
        answer(
          `FAULT: the weather\nThere are 7 cves [E1]. Its rows went through pipelines.${number}. See [E9] and [this](https://evil.example/x).`,
        ),
    ]
    const result = await ask()
    expect(result.answer).toContain('_(unverified)_')
    expect(result.answer).toContain('went through rated')
    expect(result.answer).not.toMatch(/E9|t_[0-9a-f]{16}|\]\(https/)
    expect(result.citations.unsupported).toHaveLength(1)
    expect(result.suspected_table).toBeNull()
    expect(result.graph?.nodes.filter(({ suspected }) => suspected)).toEqual([])
  })

  it('treats proposed SQL as SQL, and its figures not as claims', async () => {
    const fix = "write `WHERE coalesce(severity, '42') != 'seven'` instead of `LEFT JOIN {{ vendors }}`"
    rounds = [
      () => toolCalls(query('SELECT count() AS cves FROM {{ cves }}')),
      () => answer(`There are 3 cves [E1].\n\nFix: ${fix} [E1].\n\nFAULT: with_vendor_names`),
    ]
    const result = await ask()
    expect(result.citations.unsupported).toEqual([])
    expect(result.answer).toContain(fix)
    expect(result.root_cause).toBe('There are 3 cves.')
  })

  it('refuses a query over the budget, and tells the model how to read less', async () => {
    const AS_A_PIPELINE_MAY = "SELECT upper(vendor) AS vendor FROM {{ vendors }} WHERE vendor = 'APACHE'"
    budget = { maxRows: 2, maxBytes: 0 }
    try {
      rounds = [
        () => toolCalls(query('SELECT * FROM {{ cves }}'), query('SELECT * FROM {{ vendors }}'), query(AS_A_PIPELINE_MAY)),
        () => answer('Done.'),
      ]
      const result = await ask()
      expect(result.tool_calls.map(({ error_kind }) => error_kind)).toEqual(['too_expensive', null, null])
      const [refused, read] = returned(model.callsOf('lineage').at(-1) as ScriptedCall)
      expect(refused).toContain('would read about')
      expect(refused).toMatch(/pipelines\.p_cves: 3 rows, .*; columns: .*; ORDER BY \(cve_id, revision\)/)
      expect(read).toContain('2 rows')
    } finally {
      budget = { maxRows: 1_000_000, maxBytes: 0 }
    }
  })

  it('knows tables by their labels, wherever their rows are', async () => {
    rounds = [
      () =>
        toolCalls(
          query("SELECT count() AS matching, '{{ no label }}' AS text FROM {{vendors}} WHERE vendor_code = 'MS-001'"),
          query('SELECT count() FROM {{ rated }}'),
          query('SELECT count() FROM {{ nowhere }}'),
        ),
      () => answer('Seen.'),
    ]
    await ask()
    const [found, dropped, unknown] = returned(model.callsOf('lineage').at(-1) as ScriptedCall)
    expect(found).toMatch(/\| 1 \| 0 \| \{\{ no label \}\} \|/)
    expect(dropped).toContain('"error":"not_live"')
    expect(unknown).toContain('There is no nowhere in this run. Its tables are: ')
  })

  it('fault 21: returns each tool error as a value with advice, also for an unknown tool', async () => {
    const texts: Record<string, string> = {}
    const number = (await source.operations(jobId, signal)).find(({ operation }) => operation === 'rated')?.result.name
    const calls = {
      not_select: query('DROP TABLE pipelines.t_final'),
      out_of_scope: query('SELECT * FROM security.vendor_codes'),
      private: query('SELECT * FROM system.tables'),
      not_live: query(`SELECT * FROM pipelines.${number}`),
      no_schema: { name: 'get_schema', arguments: { table: 'rated' } },
      not_found: { name: 'get_op_sql', arguments: { operation_id: 'nowhere' } },
      schema: { name: 'get_schema', arguments: { table: 'p_vendors' } },
      query_failed: query('SELECT toUInt8(cve_id) FROM pipelines.p_cves'),
      bad_arguments: { name: 'query_table', arguments: { query: 'SELECT 1' } },
    }
    rounds = [
      () => toolCalls(...Object.values(calls)),
      call => {
        for (const [index, name] of Object.keys(calls).entries()) texts[name] = returned(call)[index] ?? ''
        return toolCalls({ name: 'drop_everything', arguments: {} }, { name: 'get_op_sql', arguments: 'no JSON' })
      },
      call => {
        texts.no_tool = returned(call).at(-2) ?? ''
        return answer('I could not find out.')
      },
    ]
    const result = await ask()
    expect(texts.no_tool).toContain('There is no tool of that name. There are list_graph_nodes')
    expect(result.root_cause).toBe('I could not find out.')
    expect(JSON.parse(texts.schema?.split('\n')[1] ?? '')).toMatchObject({
      columns: [{ name: 'vendor_code' }, { name: 'vendor' }],
    })
    expect(result.tool_calls.map(({ error_kind }) => error_kind)).toEqual([
      'not_select',
      'out_of_scope',
      'out_of_scope',
      'not_live',
      'not_live',
      'not_found',
      null,
      'query_failed',
      'bad_arguments',
      'not_found',
      'bad_arguments',
    ])
    expect(texts.not_live).toContain('request_full_replay')
    // The error is fenced, because the server's words quote rows.
    expect(texts.query_failed).toMatch(/^<(data-[0-9a-f]{16}) of="error">\n.*CVE-1.*\n<\/\1>$/)
    expect(texts.not_found).toMatch(/Its tables are: .*\bcves\b/)
    expect(result.evidence).toEqual([])
  })

  it('fault 22: ends with an answer even if the model only calls tools', async () => {
    rounds = [
      call => (call.body.tool_choice === 'none' ? answer('I do not know.') : toolCalls(query('SELECT nothing FROM nowhere'))),
    ]
    const result = await ask()
    expect(result).toMatchObject({ rounds: 10, root_cause: 'I do not know.', tier: 1 })
    expect(model.callsOf('lineage').length - started).toBe(11)
  })

  it('accepts tool calls written as text', async () => {
    rounds = [
      () =>
        answer(
          'Let me look. {"tool_calls": [{"name": "query_table", "arguments": {"sql": "SELECT count() AS cves FROM pipelines.p_cves"}}]}',
        ),
      () => answer('There are 3 rows in cves [E1].'),
    ]
    expect(await ask()).toMatchObject({ answer: 'There are 3 rows in cves [E1].', citations: { unsupported: [] } })
  })

  it('suggests similar names for an unknown job', async () => {
    await expect(ask({ job: 'cve_enrichmnt' })).rejects.toThrow(
      'There is no run of a job cve_enrichmnt. Did you mean cve_enrichment?',
    )
    await expect(ask({ job: 'nosuch' })).rejects.toThrow('There is no run of a job nosuch: there is only cve_enrichment.')
    await expect(ask({ job: 'nosuch', language: 'de' })).rejects.toThrow('nosuch gibt es nicht: Es gibt nur cve_enrichment.')
  })
})

describe('a replay', () => {
  const REQUEST = { name: 'request_full_replay', arguments: { reason: 'only the dropped table tells.' } }
  const afterReplay = (call: ScriptedCall) =>
    /- rated: (pipelines\.t_[0-9a-f]{16}) \(intermediate; live/.exec(returned(call).join('\n'))?.[1]

  it("runs after the person's consent, and its tables can be read", async () => {
    const asked: string[] = []
    rounds = [
      () => toolCalls(REQUEST),
      call => toolCalls(query(`SELECT cve_id, severity FROM ${afterReplay(call)} WHERE cve_id = 'CVE-2'`)),
      call => answer(`CVE-2 is rated critical before the join [E2].\n\nFAULT: ${afterReplay(call)}`),
    ]
    const result = await ask(
      {},
      {
        askPerson: async ({ question }) => {
          asked.push(question)
          return 'replay'
        },
      },
    )
    expect(asked).toEqual([
      expect.stringMatching(
        /^To be sure I would have to run cve_enrichment again with all tables kept\. The reason: only the dropped table tells\. The last run took \d+ s and wrote \d+ rows \([\d.]+ kB\); /,
      ),
    ])
    expect(result).toMatchObject({
      tier: 2,
      job_id: jobId,
      replay: { reason: 'only the dropped table tells.', original_job_id: jobId, drift: { cves: { original: 3, replayed: 3 } } },
      evidence: [{ id: 'E1', table: 'rated', rows: [['CVE-2', 'critical']] }],
      citations: { unsupported: [] },
      suspected_table: 'rated',
    })
    expect(result.graph?.nodes.map(({ state }) => state)).toEqual(['live', 'live', 'replayed', 'replayed', 'replayed', 'live'])
    expect(result.graph?.nodes.find(({ suspected }) => suspected)).toMatchObject({ label: 'rated', kind: 'intermediate' })
  })

  it('that took longer than an investigation may still leaves time to read its tables', async () => {
    const own = createPipelineReplayer({ pipelines, now: Date.now })
    const replay: Replayer['replay'] = async (...given) => {
      const outcome = await own.replay(...given)
      lateMs = 3_600_000
      return outcome
    }
    rounds = [() => toolCalls(REQUEST), () => toolCalls(query('SELECT count() AS cves FROM {{ cves }}')), () => answer('Done.')]
    const { tool_calls: calls } = await ask({}, { askPerson: async () => 'replay', replayer: { replay } })
    lateMs = 0
    expect(calls).toMatchObject([{ ok: true }, { tool: 'query_table', ok: true }])
  })

  it('does not run against the person’s will, or if nobody can be asked', async () => {
    rounds = [() => toolCalls(REQUEST), () => answer('Not proved.')]
    const refused = await ask({}, { askPerson: async () => 'answer' })
    const nobody = await ask()
    for (const result of [refused, nobody]) {
      expect(result).toMatchObject({ tier: 1, replay: null, tool_calls: [{ ok: false, error_kind: 'replay_failed' }] })
    }
  })

  it('runs at once with --deep, and changed inputs are reported', async () => {
    await write("INSERT INTO security.cve_feed VALUES ('CVE-3', 1, 'vendor', 'GO-001', 'Chrome', 3, 'published', '2026-02-03')")
    rounds = [() => answer('It is as it was.')]
    const result = await ask({ isDeep: true })
    expect(result).toMatchObject({
      tier: 2,
      replay: { drift: { cves: { original: 3, replayed: 4 }, vendors: { original: 2, replayed: 2 } } },
    })
    expect(result.answer).toContain('The inputs have changed since: cves had 3 rows in the run and 4 in the replay.')
    const [call] = model.callsOf('lineage').slice(started)
    expect(promptOf(call as ScriptedCall)).toContain('cves had 3 rows in the run and 4 in the replay')
  })

  it.each([
    ['failed', { kind: 'failed' as const, reason: 'the disk is full.' }],
    ['timeout', { kind: 'timeout' as const, limitMs: 60_000 }],
  ])('that %s gives the model a result to continue with', async (kind, outcome) => {
    rounds = [() => toolCalls(REQUEST), () => answer('Not proved.')]
    const result = await ask({}, { askPerson: async () => 'replay', replayer: { replay: async () => outcome } })
    expect(result.tool_calls).toMatchObject([{ ok: false, error_kind: `replay_${kind}` }])
    expect(observed.filter(each => each.kind === 'replay')).toMatchObject([{ job: jobId, outcome: kind }])
    expect(result.answer).toBe('Not proved.')
  })

  it.each([
    ['fails', { kind: 'failed' as const, reason: 'the disk is full.' }, 'The replay failed: the disk is full. Answer from'],
    ['finds no free place', { kind: 'busy' as const, others: 12 }, '12 others run or wait already'],
  ])('that was asked for with --deep and %s is no secret to the model', async (_, outcome, told) => {
    rounds = [() => answer('Not proved.')]
    const result = await ask({ isDeep: true }, { replayer: { replay: async () => outcome } })
    expect(result).toMatchObject({ tier: 1, replay: null, answer: 'Not proved.' })
    const [call] = model.callsOf('lineage').slice(started)
    expect(promptOf(call as ScriptedCall)).toContain(told)
  })
})

describe('in a thread', () => {
  let store: StateStore
  let lineage: LineageAnalyst
  let asked = 0
  beforeEach(async () => {
    store = createMemoryStateStore({ now: Date.now })
    lineage = new LineageAnalyst({ ...(await openDeps()), store, timeZone: 'UTC' })
    started = model.callsOf('lineage').length
  })

  async function say(text: string, given: Partial<Question> = {}): Promise<AnalystAnswer> {
    asked += 1
    const question = { runId: `run_t${asked}`, thread: 'slack/T/C/1', text, askedAt: Date.now(), ...given }
    const understood = (await lineage.understand(question, signal)) ?? (await lineage.underWay(question, signal))?.request
    if (understood === undefined) throw new Error(`not about a run: ${text}`)
    return lineage.ask(question, understood, signal)
  }

  it("a command with only a job is answered in the asker's language, even for an unknown job", async () => {
    const { result } = await say('lineage cve_enrichment', { language: 'de' })
    expect(result.answer).toMatch(
      /\*\*cve_enrichment\*\*, letzter Lauf `job_\d+`: COMPLETED, begonnen .*Was sich zu fragen lohnt:/s,
    )
    expect(result.answer).not.toMatch(/last run|Worth asking|come from|Which/)
    const none = await say('lineage cve_enrichmnt', { language: 'de' })
    expect(none.result.answer).toMatch(
      /^Einen Lauf eines Jobs cve_enrichmnt gibt es nicht\. Gemeint vielleicht: cve_enrichment\?/,
    )
  })

  it('a command with only a job is answered by program: graph, last run, suggested questions', async () => {
    const { result } = await say('lineage cve_enrichment')
    expect(result).toMatchObject({
      intent: 'lineage',
      interrupt: null,
      queries: [],
      chart: { kind: 'graph', nodes: { length: 6 } },
    })
    expect(result.answer).toMatch(/\*\*cve_enrichment\*\*, last run `job_\d+`: COMPLETED/)
    expect(result.answer).toContain('- Which rows of cves are not in latest_versions, and why?')
    expect(model.callsOf('lineage').length).toBe(started)
  })

  it('follow-ups continue with the same run and its findings', async () => {
    rounds = [
      () => toolCalls(query('SELECT count() AS cves FROM pipelines.p_cves')),
      () => answer('There are 3 rows in cves [E1].'),
    ]
    const first = await say('lineage cve_enrichment how many rows has `cves`?')
    expect(first.result.queries).toMatchObject([{ id: 'E1', rows: [['3']] }])
    rounds = [() => answer('As before.')]
    started = model.callsOf('lineage').length
    await say('and why so many?')
    const [call] = model.callsOf('lineage').slice(started)
    expect(promptOf(call as ScriptedCall)).toContain('Found: There are')
    const elsewhere = { runId: 'run_x', thread: 'slack/T/C/2', text: 'and why?', askedAt: 0 }
    expect(await lineage.underWay(elsewhere, signal)).toBeUndefined()
    // A direct conversation has no threads. If it kept an investigation, all its later questions would be about this run.
    const isEndless = { thread: 'discord/direct/D/D', isEndless: true }
    await say('lineage cve_enrichment', isEndless)
    expect(await lineage.underWay({ ...elsewhere, ...isEndless }, signal)).toBeUndefined()
    const answered = { ...elsewhere, thread: 'slack/T/C/1', choice: { value: 'run', steps: [] } }
    expect(await lineage.underWay(answered, signal)).toBeUndefined()
    expect(await lineage.underWay({ ...elsewhere, thread: 'slack/T/C/1' }, signal)).toMatchObject({
      job: 'cve_enrichment',
      asked: 'and why so many?',
    })
  })

  it('a replay can be confirmed later, and finished steps are not repeated', async () => {
    rounds = [
      () =>
        toolCalls(query('SELECT count() AS cves FROM pipelines.p_cves'), {
          name: 'request_full_replay',
          arguments: { reason: 'only it tells, see [this](http://evil.example/x)' },
        }),
      () => answer('It was run again.'),
    ]
    const later = { askPerson: async () => undefined }
    const stopped = await say('lineage cve_enrichment why?', { runId: 'run_again', ...later })
    expect(stopped.result.interrupt).toMatchObject({
      kind: 'need_confirm',
      choices: [{ label: 'Replay' }, { label: 'Answer without' }],
    })
    expect(stopped.result.answer).toContain('this (`http://evil.example/x`)')
    expect(model.callsOf('lineage').length - started).toBe(1)
    const resumed = await say('Replay', { runId: 'run_again', choice: { value: 'replay', steps: stopped.waiting }, ...later })
    expect(resumed.result).toMatchObject({ interrupt: null, answer: expect.stringContaining('It was run again.') })
    expect(model.callsOf('lineage').length - started).toBe(2)
  })

  it('a replay belongs to the run that asked for consent, and stops with the message that agreed', async () => {
    const requests: ReplayRequest[] = []
    const replay: Replayer['replay'] = async request => {
      requests.push(request)
      return { kind: 'busy', others: 12 }
    }
    const own = new LineageAnalyst({ ...(await openDeps({ replay })), store, timeZone: 'UTC' })
    const analyst = new ThreadAnalyst({
      analyst: {
        ask: () => Promise.reject(new Error('no question about data')),
        languageOf: async () => 'en',
        remember: async () => {},
      },
      lineage: own,
    })
    const questions = new OpenQuestions({ store, now: Date.now })
    rounds = [
      () => toolCalls({ name: 'request_full_replay', arguments: { reason: 'only it tells.' } }),
      () => answer('I could not repeat it now.'),
    ]
    const say = (id: string, text: string) => {
      const message = { thread: 'slack/T/C/1', id, author: 'U1', text, at: Date.now() }
      return askInThread({ analyst, questions }, message, { runId: `run_of_${id}`, askPerson: async () => undefined }, signal)
    }
    await say('m1', 'lineage cve_enrichment why?')
    const { result } = await say('m2', 'Replay')
    expect(result.answer).toContain('I could not repeat it now.')
    const [request] = requests
    expect(request).toMatchObject({ askedBy: 'run_of_m1', stoppedWith: ['run_of_m1', 'run_of_m2'] })
    expect(promptOf(model.callsOf('lineage').at(-1) as ScriptedCall)).toContain('12 others run or wait already')
  })

  it('a resumed run stays with the same run of the job, even after later ones', async () => {
    const at = timeText(new Date())
    rounds = [() => answer('It was run again.')]
    const { result } = await say('lineage cve_enrichment --deep why?', { runId: 'run_deep' })
    await pipelines.run((await pipelines.create('cve_enrichment', {}, signal)).id, {}, signal)
    expect((await say('', { runId: 'run_deep' })).result.answer).toBe(result.answer)
    const sql = "SELECT count(), uniqExact(replay_of) FROM jobs FINAL WHERE reason = 'asked for with --deep'"
    const deep = await engine.warehouse.readOwn(
      { sql: `${sql} AND created_at >= {at:String}`, parameters: { at }, database: 'clew' },
      signal,
    )
    expect(deep.rows).toEqual([['1', '1']])
  })

  it('people who may not see all tables of a run are told so, without the names', async () => {
    const access = { grants: [{ tables: ['pipelines.t_final'], except: [] }], clickhouseRoles: [] }
    for (const text of ['lineage cve_enrichment', 'lineage cve_enrichment why?']) {
      const { result } = await say(text, { access })
      expect(result.answer).toMatch(/^You may not see all tables of cve_enrichment/)
    }
    expect(model.callsOf('lineage').length).toBe(started)
    const all = { grants: [{ tables: ['pipelines.*'], except: [] }], clickhouseRoles: [] }
    expect((await say('lineage cve_enrichment', { access: all })).result.answer).toContain('last run')
  })

  it('a replay has input tables of its own, and only people who may see the original run may see it', async () => {
    const { id } = await pipelines.run((await pipelines.createReplay(jobId, 'to look', signal)).id, {}, signal)
    const grantsOf = (...tables: string[]) => ({ grants: [{ tables, except: [] }], clickhouseRoles: [] })
    for (const access of [grantsOf('shop.*'), grantsOf('pipelines.t_final'), grantsOf('pipelines.p_*')]) {
      const { result } = await say(`lineage ${id} what is in it?`, { access })
      expect(result.answer).toMatch(/^You may not see all tables of cve_enrichment/)
    }
    expect(model.callsOf('lineage').length).toBe(started)
    const all = grantsOf('pipelines.p_*', 'pipelines.t_final')
    expect((await say(`lineage ${id}`, { access: all })).result.answer).toContain('last run')
  })

  it('suggests no look at the rows of an empty target', async () => {
    const { id } = await pipelines.create('cve_enrichment', { arguments: { since: '2099-01-01' } }, signal)
    await pipelines.run(id, {}, signal)
    const { result } = await say(`lineage ${id}`)
    expect(result.answer).toContain('- Which rows of latest_versions are not in rated, and why?')
    expect(result.answer).not.toMatch(/NULL or empty|duplicates/)
  })

  it("another runner's run is investigated by its log only, and cannot be replayed", async () => {
    await writeForeignRun(engine, signal)
    expect((await say(`lineage ${FOREIGN_RUN}`)).result).toMatchObject({
      answer: expect.stringContaining(`**trips per bike**, last run \`${FOREIGN_RUN}\`: COMPLETED`),
      chart: { kind: 'graph', nodes: { length: 3 } },
    })
    started = model.callsOf('lineage').length
    rounds = [
      () =>
        toolCalls(query('SELECT countIf(empty(bike)) AS trips_without_bike FROM {{ trips }}'), {
          name: 'request_full_replay',
          arguments: { reason: 'to be sure' },
        }),
      () => answer('The trips without a bike, 1, are left out by `clean trips` [E1].\n\nFAULT: clean trips'),
    ]
    const { result } = await say(`lineage ${FOREIGN_RUN} why is a trip missing?`)
    expect(result).toMatchObject({ interrupt: null, queries: [{ rows: [['1']] }], citations: { unsupported: [] } })
    const [first, second] = model.callsOf('lineage').slice(started)
    expect(promptOf(first as ScriptedCall)).toContain('it cannot be replayed')
    expect(returned(second as ScriptedCall).join('\n')).toContain('cannot be run again: another runner has logged it')
    expect((await say(`lineage ${FOREIGN_RUN} --deep why?`)).result.answer).toMatch(/cannot be run again.*Ask without --deep\.$/)
    // These tables have ordinary names, so the asker needs a grant for them.
    const access = { grants: [{ tables: ['bikes.*'], except: [] }], clickhouseRoles: [] }
    expect((await say(`lineage ${FOREIGN_RUN}`, { access })).result.answer).toMatch(/^You may not see all tables/)
  })

  it('an unknown job is reported with similar names', async () => {
    expect((await say('lineage cve_enrich why?')).result.answer).toContain('Did you mean cve_enrichment?')
  })
})
