import { beforeAll, describe, expect, it } from '@jest/globals'
import { AnalystSuite, classified, dataQuestion, draft } from '../../../test/support/analyst-suite.ts'
import { promptOf } from '../../../test/support/scripted-analyst.ts'
import { clickhouseSource, combinerOfTest } from '../../../test/support/source-suite.ts'
import { SourceResolver } from '../../sources/resolver.ts'
import type { OpenedSource } from '../../sources/source.ts'
import { WarehouseError } from '../../warehouse/error.ts'

const suite = new AnalystSuite({
  statements: [
    'CREATE DATABASE network',
    'CREATE DATABASE shop',
    "CREATE TABLE network.traffic (customer String, gigabytes UInt32) ENGINE = MergeTree ORDER BY customer COMMENT 'traffic of customers'",
    "INSERT INTO network.traffic VALUES ('a', 10), ('a', 20), ('b', 5), ('d', 7)",
    "CREATE TABLE shop.contracts (customer Int64, name String, code String, fee Decimal(18, 2)) ENGINE = MergeTree ORDER BY customer COMMENT 'contracts of customers'",
    "INSERT INTO shop.contracts VALUES (1, 'Ada', 'a', 100), (2, 'Bert', 'b', 50.5), (3, 'Cyd', 'c', 20)",
  ],
})
const combiner = combinerOfTest()
let dataSources: readonly OpenedSource[]
beforeAll(() => {
  const { warehouse } = suite.engine
  dataSources = [
    clickhouseSource(warehouse, {
      id: 'telemetry',
      isDefault: true,
      databases: ['network'],
      description: 'Links and their traffic',
    }),
    clickhouseSource(warehouse, { id: 'crm', databases: ['shop'], description: 'Customers, contracts, fees' }),
  ]
})

const column = (name: string, type: string) => ({ name, type })
const TRAFFIC = {
  key: 'traffic',
  source: 'telemetry',
  question: 'Gigabytes per customer.',
  columns: [column('code', 'text'), column('gigabytes', 'integer')],
  restrict: null,
}
const FEES = {
  key: 'fees',
  source: 'crm',
  question: 'The fee of each customer.',
  columns: [column('code', 'text'), column('fee', 'decimal')],
  restrict: null,
}
const SQL: Readonly<Record<string, string>> = {
  [TRAFFIC.question]: 'SELECT customer AS code, sum(gigabytes) AS gigabytes FROM network.traffic GROUP BY customer',
  [FEES.question]: 'SELECT code, fee FROM shop.contracts',
}
const JOIN = { kind: 'join', key: 'both', join: 'inner', left: 'fees', right: 'traffic', on: [{ left: 'code', right: 'code' }] }
const RATE = {
  key: 'rate',
  input: 'both',
  question: 'The fee per gigabyte of each customer.',
  steps: [
    {
      kind: 'project',
      columns: [
        { kind: 'column', name: 'code', column: 'code' },
        { kind: 'ratio', name: 'per_gigabyte', of: 'fee', by: 'gigabytes' },
      ],
    },
    { kind: 'sort', by: [{ column: 'code', descending: false }] },
  ],
}
const planned = (given: object = {}) => ({
  sub_queries: [TRAFFIC, FEES],
  combines: [JOIN],
  posts: [RATE],
  clarification: null,
  datasource: null,
  error: null,
  ...given,
})
const QUESTION = 'What is the fee per gigabyte of traffic of each customer with a contract?'
const script = (given: object = {}) => ({
  classify: () => classified({ standalone_question: QUESTION }),
  plan_sources: () => planned(given),
  generate: (call: Parameters<typeof dataQuestion>[0]) => draft(SQL[dataQuestion(call).split('\n')[0] ?? ''] ?? 'SELECT nothing'),
  synthesize: () => 'Customer a pays 3.33 {=B1} per gigabyte [Q3].',
})
/** Returns the sources. They note each query that they run, except those of checks. */
function noting(done: string[]): readonly OpenedSource[] {
  return dataSources.map(source => {
    const read = async (...[query, signal]: Parameters<OpenedSource['warehouse']['read']>) => {
      const isQuery = /network\.traffic|shop\.contracts/.test(query.sql)
      if (isQuery && !/^(?:EXPLAIN|DESCRIBE|SELECT format)|LIMIT 0$/.test(query.sql)) done.push(`ran ${source.config.id}`)
      return source.warehouse.read(query, signal)
    }
    return { ...source, warehouse: { ...source.warehouse, read } }
  })
}

const open = (given: object = {}) => suite.open({ dataSources, combiner, resolver: new SourceResolver(), ...given })

describe('a private column of one source', () => {
  it('gets into no combined result, and no query reads it', async () => {
    const secret = clickhouseSource(suite.engine.warehouse, {
      ...{ id: 'crm', databases: ['shop'], description: 'Customers, contracts, fees', privateColumns: ['shop.contracts.name'] },
    })
    const rows: string[] = []
    const read = async (...given: Parameters<OpenedSource['warehouse']['read']>) => {
      const result = await secret.warehouse.read(...given)
      rows.push(JSON.stringify(result.rows))
      return result
    }
    const sources = [dataSources[0], { ...secret, warehouse: { ...secret.warehouse, read } }].filter(each => each !== undefined)
    const names = 'SELECT code, length(name) AS fee, name AS owner FROM shop.contracts'
    suite.script = {
      ...script(),
      generate: call => {
        const asked = dataQuestion(call).split('\n')[0] ?? ''
        return draft(asked === FEES.question ? names : (SQL[asked] ?? 'SELECT nothing'))
      },
    }
    const { ask } = await open({ dataSources: sources })
    const { result } = await ask(QUESTION)
    expect(result.queries.find(({ id }) => id === 'Q2')?.failed_attempts.at(-1)?.message).toContain('it is private')
    expect(JSON.stringify(result)).not.toMatch(/Ada|Bert|Cyd/)
    expect(rows.join()).not.toMatch(/Ada|Bert|Cyd/)
  })
})

describe('a question over two sources', () => {
  it('asks each source in its own run, joins the rows, and says how they met', async () => {
    suite.script = script()
    const { ask, events } = await open()
    const calls = suite.calls()
    const { result } = await ask(QUESTION)
    expect(calls().map(({ step }) => step)).toEqual(['classify', 'plan_sources', 'generate', 'generate', 'synthesize'])
    expect(result.queries.map(({ id, source, error }) => [id, source, error])).toEqual([
      ['Q1', 'telemetry', null],
      ['Q2', 'crm', null],
      ['Q3', undefined, null],
    ])
    expect(result.queries[1]?.tables).toEqual(['crm/shop.contracts'])
    const [, , combined] = result.queries
    expect(combined?.columns.map(({ name }) => name)).toEqual(['code', 'per_gigabyte'])
    expect(combined?.rows.map(([code]) => code)).toEqual(['a', 'b'])
    expect(combined?.sql).toContain('JOIN')
    expect(combined?.tables).toEqual(['network.traffic', 'crm/shop.contracts'])
    expect(result.combined).toEqual([
      { id: 'Q3', inputs: ['Q1', 'Q2'], op: 'inner', rows_left: 3, rows_right: 3, keys_met: 2, rows: 2 },
    ])
    // One of three customers on each side has no partner.
    expect(result.confidence).toBe('MEDIUM')
    expect(result.note).toContain('Q3 joins Q2 (crm) and Q1 (telemetry) on code: 2 keys met, of 3 and 3.')
    expect(events).toContainEqual({ kind: 'data_question_planned', id: 'Q2', question: `crm: ${FEES.question}` })
  })

  it('shows the model both schemas, and no SQL dialect', async () => {
    suite.script = script()
    const calls = suite.calls('plan_sources')
    await (await open()).ask(QUESTION)
    const prompt = promptOf(calls()[0] ?? fail())
    expect(prompt).toContain('## Source `crm`')
    expect(prompt).toContain('network.traffic')
    expect(prompt).toContain('shop.contracts')
  })

  it('names the kinds of all sources to the model that sorts the message', async () => {
    suite.script = script()
    const calls = suite.calls('classify')
    const kinds = { telemetry: 'clickhouse', crm: 'postgres' } as const
    const mixed = dataSources.map(each => ({ ...each, config: { ...each.config, kind: kinds[each.config.id as 'crm'] } }))
    await (await open({ dataSources: mixed })).ask(QUESTION)
    expect(promptOf(calls()[0] ?? fail())).toContain('querying the ClickHouse and PostgreSQL tables listed below')
  })

  it('asks the same content once, whatever its keys are', async () => {
    const again = { ...TRAFFIC, key: 'again', question: `${TRAFFIC.question} ` }
    const done: string[] = []
    suite.script = script({ sub_queries: [TRAFFIC, again, FEES], combines: [{ ...JOIN, right: 'again' }] })
    const calls = suite.calls('generate')
    const { result } = await (await open({ dataSources: noting(done) })).ask(QUESTION)
    expect(calls()).toHaveLength(2)
    expect(done.sort()).toEqual(['ran crm', 'ran telemetry'])
    expect(result.queries.map(({ id, error }) => [id, error])).toEqual([
      ['Q1', null],
      ['Q2', null],
      ['Q3', null],
    ])
  })

  it('gives a refused plan back once with the reason, and then answers side by side', async () => {
    const wrong = { combines: [{ ...JOIN, on: [{ left: 'nothing', right: 'code' }] }] }
    suite.script = script(wrong)
    const calls = suite.calls('plan_sources')
    const { result } = await (await open()).ask(QUESTION)
    expect(calls()).toHaveLength(2)
    expect(promptOf(calls()[1] ?? fail())).toContain('nothing')
    expect(result.queries.map(({ id }) => id)).toEqual(['Q1', 'Q2'])
    expect(result.confidence).not.toBe('HIGH')
    expect(result.note).toContain('side by side')
  })

  it.each<[string, object, string]>([
    ['with a cycle', { combines: [{ ...JOIN, left: 'rate' }] }, 'The plan has a cycle: "both" takes "rate" takes "both".'],
    ['whose combine takes itself', { combines: [{ ...JOIN, left: 'both' }] }, 'The plan has a cycle: "both" takes "both".'],
    ['that takes what is not there', { combines: [{ ...JOIN, left: 'orders' }] }, '"both" takes "orders", but the plan has no'],
    [
      'by a key that no sub-query has',
      { combines: [{ ...JOIN, on: [{ left: 'vat', right: 'code' }] }] },
      '"both" takes the column "vat"',
    ],
    ['with an id twice', { sub_queries: [TRAFFIC, { ...FEES, key: 'traffic' }] }, 'has the key "traffic" twice'],
    [
      'whose sub-queries wait for each other',
      {
        sub_queries: [
          { ...TRAFFIC, restrict: { column: 'code', from: 'fees', key: 'code' } },
          { ...FEES, restrict: { column: 'code', from: 'traffic', key: 'code' } },
        ],
      },
      'The plan has a cycle: "traffic" takes "fees" takes "traffic".',
    ],
  ])('refuses a plan %s before any sub-query runs', async (_, wrong, reason) => {
    const done: string[] = []
    suite.script = {
      ...script(),
      plan_sources: () => {
        done.push('planned')
        return planned(done.length === 1 ? wrong : {})
      },
    }
    const calls = suite.calls('plan_sources')
    const { result } = await (await open({ dataSources: noting(done) })).ask(QUESTION)
    expect(done.slice(0, 3)).toEqual(['planned', 'planned', expect.stringMatching(/^ran /)])
    expect(promptOf(calls()[1] ?? fail())).toContain(reason)
    expect(result.queries.map(({ id, error }) => [id, error])).toEqual([
      ['Q1', null],
      ['Q2', null],
      ['Q3', null],
    ])
  })

  it.each([
    ['lacks a column of the plan', 'SELECT customer AS code, name FROM shop.contracts', 'fee'],
    ['has a key of floating-point numbers', 'SELECT toFloat64(customer) AS code, fee FROM shop.contracts', 'code'],
  ])('runs no query before one that %s is written again', async (_, broken, named) => {
    const done: string[] = []
    const columns = (name: string) => [column('code', 'integer'), column(name, 'integer')]
    const queries = [
      { ...TRAFFIC, columns: columns('gigabytes') },
      { ...FEES, columns: columns('fee') },
    ]
    suite.script = {
      ...script({ sub_queries: queries }),
      generate: call => {
        if (dataQuestion(call).includes('Gigabytes'))
          return draft(
            'SELECT toInt64(cityHash64(customer) % 9) AS code, sum(gigabytes) AS gigabytes FROM network.traffic GROUP BY code',
          )
        done.push('wrote fees')
        return draft(
          done.filter(each => each === 'wrote fees').length === 1 ? broken : 'SELECT customer AS code, fee FROM shop.contracts',
        )
      },
    }
    const { result } = await (await open({ dataSources: noting(done) })).ask(QUESTION)
    expect(done.slice(0, 3)).toEqual(['wrote fees', 'wrote fees', expect.stringMatching(/^ran /)])
    expect(result.queries[1]).toMatchObject({ attempts: 2, failed_attempts: [{ kind: 'guard' }], error: null })
    expect(result.queries[1]?.failed_attempts[0]?.message).toContain(`"${named}"`)
    expect(result.queries[2]?.error).toBeNull()
  })

  it('limits a query to the keys of another, although both are written at the same time', async () => {
    const restrict = { column: 'code', from: 'fees', key: 'code' }
    suite.script = script({ sub_queries: [{ ...TRAFFIC, restrict }, FEES] })
    const { result } = await (await open()).ask(QUESTION)
    expect(result.queries[0]?.rows.map(([code]) => code).sort()).toEqual(['a', 'b'])
    expect(result.queries[0]?.sql).toMatch(/ WHERE code IN \('\w', '\w', '\w'\)$/)
  })

  it('writes a query once more before it runs, if it breaks the contract', async () => {
    let attempts = 0
    suite.script = {
      ...script(),
      generate: call => {
        const sql = SQL[dataQuestion(call).split('\n')[0] ?? ''] ?? ''
        return draft(sql.includes('contracts') && attempts++ === 0 ? 'SELECT code, name FROM shop.contracts' : sql)
      },
    }
    const { result } = await (await open()).ask(QUESTION)
    expect(result.queries[1]).toMatchObject({ attempts: 2, failed_attempts: [{ kind: 'guard' }], error: null })
    expect(result.queries[1]?.failed_attempts[0]?.message).toContain('fee')
    expect(result.queries).toHaveLength(3)
  })

  it('asks for one row a key once more, before a sum would count rows several times', async () => {
    const everyRow = 'SELECT customer AS code, gigabytes FROM network.traffic'
    const total = { kind: 'aggregate', by: ['code'], measures: [{ name: 'fee', function: 'sum', column: 'fee' }] }
    const sorted = { kind: 'sort', by: [{ column: 'code', descending: false }] }
    suite.script = {
      ...script({ posts: [{ ...RATE, steps: [total, sorted] }] }),
      generate: call => {
        const [question = ''] = dataQuestion(call).split('\n')
        const isAgain = promptOf(call).includes('return one row for each key')
        return draft(question === TRAFFIC.question && !isAgain ? everyRow : (SQL[question] ?? ''))
      },
      synthesize: () => 'Customer a pays 100 {=B1} [Q3].',
    }
    const { result } = await (await open()).ask(QUESTION)
    expect(result.queries[0]).toMatchObject({ sql: expect.stringContaining('GROUP BY'), attempts: 2 })
    expect(result.queries[2]?.rows.map(([code, fee]) => [code, Number(fee)])).toEqual([
      ['a', 100],
      ['b', 50.5],
    ])
  })

  it('names no operation of a result that could not be combined', async () => {
    const cut = 'SELECT customer AS code, arrayJoin(range(50001)) AS gigabytes FROM network.traffic'
    suite.script = {
      ...script(),
      generate: call => draft(dataQuestion(call).startsWith(TRAFFIC.question) ? cut : (SQL[FEES.question] ?? '')),
      synthesize: () => 'Customer a has a fee of 100 {=B1} [Q2].',
    }
    const { result } = await (await open()).ask(QUESTION)
    expect(result.queries[2]).toMatchObject({ id: 'Q3', error: expect.stringContaining('one of them was cut') })
    const none = { op: null, rows_left: null, rows_right: null, keys_met: null, rows: 0 }
    expect(result.combined).toEqual([{ id: 'Q3', inputs: ['Q1', 'Q2'], ...none }])
  })

  it('answers with what is left if a source is away, names the source, and is LOW', async () => {
    const away = new WarehouseError('connection refused', { kind: 'unavailable' })
    const fails = () => Promise.reject(away)
    const [telemetry, crm] = dataSources
    if (telemetry === undefined || crm === undefined) throw new Error('no sources')
    const gone: OpenedSource = {
      ...crm,
      warehouse: { description: 'crm', read: fails },
      schemaSource: { load: fails, refresh: fails },
    }
    suite.script = { ...script(), synthesize: () => 'Customer a has 30 {=B1} gigabytes [Q1].' }
    const { result } = await (await open({ dataSources: [telemetry, gone] })).ask(QUESTION)
    expect(result.queries.map(({ id, error }) => [id, error === null])).toEqual([
      ['Q1', true],
      ['Q2', false],
    ])
    expect(result.confidence).toBe('LOW')
    expect(result.note).toContain('crm')
  })

  it('shows nothing of a source to whom the rights give none of it', async () => {
    suite.script = { ...script(), decompose: () => ({ ...planned(), data_questions: [{ question: 'The traffic.' }] }) }
    const calls = suite.calls()
    const access = { grants: [{ tables: ['network.*'], except: [] }], clickhouseRoles: [] }
    const { result } = await (await open()).ask(QUESTION, { access })
    const seen = JSON.stringify([result, calls().map(promptOf)])
    expect(seen).not.toContain('crm')
    expect(seen).not.toContain('contracts of customers')
    await expect((await open()).ask(QUESTION, { access: { grants: [], clickhouseRoles: [] } })).rejects.toMatchObject({
      code: 'run_no_source',
    })
  })

  it('stays with the source of the thread', async () => {
    suite.script = {
      ...script(),
      generate: () => draft('SELECT count() AS contracts FROM shop.contracts'),
      synthesize: () => '3 [Q1].',
    }
    const { ask } = await open()
    const first = await ask('How many contracts are in the crm?', { thread: 't' })
    expect(first.result.queries[0]).toMatchObject({ source: 'crm', tables: ['crm/shop.contracts'] })
    const next = await ask('And how many of those?', { thread: 't' })
    expect(next.result.queries[0]?.source).toBe('crm')
  })

  it('asks all sources if the tables of the chosen one do not hold the answer', async () => {
    suite.script = {
      ...script(),
      decompose: () => ({ data_questions: [], clarification: null, datasource: null, error: 'The contracts hold no traffic.' }),
    }
    const calls = suite.calls()
    const { result } = await (await open()).ask('Which contracts are there in the crm, and for what traffic?')
    expect(calls().map(({ step }) => step)).toContain('decompose')
    expect(result.queries.map(({ id, source }) => [id, source])).toEqual([
      ['Q1', 'telemetry'],
      ['Q2', 'crm'],
      ['Q3', undefined],
    ])
  })
})

function fail(): never {
  throw new Error('nothing was asked')
}
