import { describe, expect, it } from '@jest/globals'
import type { ScriptedCall } from '../../test/emulators/model/model-script.ts'
import { answer, refusal } from '../../test/emulators/model/model-scripts.ts'
import { AnalystSuite, classified, draft, ENDLESS, never, plan } from '../../test/support/analyst-suite.ts'
import { fenced, promptOf } from '../../test/support/scripted-analyst.ts'

const COLUMNS = ['pieces', 'weight', 'price', 'tax'].map(
  name => `${name} UInt32 COMMENT 'The ${name}, as the shops have counted it each day'`,
)
const OTHERS = ['visits', 'stock', 'returns'].map(
  name =>
    `CREATE TABLE ${name} (day Date, ${COLUMNS.join(', ')}) ENGINE = MergeTree ORDER BY day COMMENT 'All ${name} of these years'`,
)
const suite = new AnalystSuite({ statements: OTHERS })
/** Returns the number of the attempt. The prompt contains the earlier ones. */
const attempt = (call: ScriptedCall) => (promptOf(call).match(/^Attempt \d+:$/gm)?.length ?? 0) + 1

describe('the attempts at one query', () => {
  it.each([
    ['refused by the guard', () => draft('SELECT * FROM system.users'), 3, 3],
    ['failed in the engine', () => draft('SELECT colour FROM sales'), 5, 5],
  ])('are bounded when all are %s', async (_, generate, asked, attempts) => {
    suite.script = { generate }
    const generated = suite.calls('generate')
    const { result } = await (await suite.open()).ask('How much?')
    expect(generated()).toHaveLength(asked)
    expect(result.queries).toMatchObject([{ attempts, rows: [] }])
    expect(result.queries[0]?.failed_attempts).toHaveLength(attempts)
    expect(result.answer).toMatch(/^I could not answer this/)
  })

  it('see in full the tables that the plan names, and all tables after a mistake', async () => {
    suite.script = {
      decompose: () => ({ ...plan(), data_questions: [{ question: 'The sum.', tables: ['sales'] }] }),
      generate: call => draft(attempt(call) === 1 ? 'SELECT colour FROM sales' : 'SELECT sum(amount) AS amount FROM sales'),
    }
    const generated = suite.calls('generate')
    const { result } = await (await suite.open({ speculation: false })).ask('How much?')
    expect(result.queries).toMatchObject([{ attempts: 2, rows: [['60']] }])
    const inFull = generated().map(call => [...promptOf(call).matchAll(/^TABLE default\.(\w+)/gm)].map(([, name]) => name))
    expect(inFull).toEqual([['sales'], ['returns', 'sales', 'stock', 'visits']])
    expect(generated().map(call => promptOf(call).includes('default.visits (day, pieces, weight, price, tax)'))).toEqual([
      true,
      false,
    ])
  })

  it.each([
    ['is empty', ['']],
    ['is cut off', [answer('{"sql', { finishReason: 'length' })]],
    ['has a wrong form', ['no JSON at all']],
    ['is refused', [refusal('I may not say that.')]],
    ['is empty, then of a wrong form', ['', 'no JSON at all']],
    ['has a wrong form, then is cut off', ['no JSON at all', answer('{"sql', { finishReason: 'length' })]],
  ] as const)('are not repeated by the step if the answer %s, because the client already asks twice', async (what, answers) => {
    let asked = 0
    suite.script = { generate: () => answers[asked++ % answers.length] ?? '' }
    const generated = suite.calls('generate')
    const { result } = await (await suite.open()).ask('How much?')
    expect(generated()).toHaveLength(what === 'is refused' ? 1 : 2)
    expect(result.queries).toMatchObject([{ attempts: 1, rows: [], failed_attempts: [{ kind: 'model' }] }])
    expect(result.answer).toMatch(/^I could not answer this/)
    if (what === 'is refused') expect(result.answer).toContain('I may not say that.')
  })

  it.each([
    ['is empty', ''],
    ['is cut off', answer('They sold', { finishReason: 'length' })],
    ['is refused', refusal('I may not say that.')],
  ])('at the final text are bounded too if the answer %s, and the results are shown', async (what, written) => {
    suite.script = { synthesize: () => written }
    const calls = suite.calls('synthesize')
    const { result } = await (await suite.open()).ask('How much?')
    expect(calls()).toHaveLength(what === 'is refused' ? 1 : 2)
    expect(result.answer).toContain('60')
  })

  it('at the final text end if the model never stops writing', async () => {
    suite.script = { synthesize: () => answer('', { pieces: Array(400).fill('They sold 60 [Q1].\n'.repeat(100)) }) }
    const calls = suite.calls('synthesize')
    const { result } = await (await suite.open()).ask('How much?')
    expect(calls()).toHaveLength(1)
    expect(result.answer).toMatch(/^The queries ran[\s\S]*\| 60 \|$/)
  })

  it.each([
    ['a table outside the scope', 'SELECT (SELECT max(name) FROM system.users) AS name', 'Table system.users is not available'],
    ['a private column', "SELECT (SELECT count() FROM sales WHERE shop = 'x') AS n", 'Column shop of sales may not be read'],
    ['a private column, by *', 'SELECT * FROM sales', 'or write \\* EXCEPT \\(shop\\)'],
  ])('that read %s are refused before the engine checks, estimates or runs them', async (_, sql, message) => {
    suite.script = { generate: call => draft(attempt(call) === 1 ? sql : 'SELECT sum(amount) AS amount FROM sales') }
    const before = (await suite.engine.receivedQueries()).length
    const generated = suite.calls('generate')
    const { ask } = await suite.open({ privateColumns: ['sales.shop'] })
    const { result } = await ask('How much?')
    expect(result.queries[0]).toMatchObject({ attempts: 2, rows: [['60']] })
    expect(promptOf(generated()[1] ?? missing())).toMatch(new RegExp(message))
    const received = (await suite.engine.receivedQueries()).slice(before).map(one => one.sql)
    // The guard writes `COLUMNS('matched_0_')` for a star.
    const own = received.filter(text => text.includes(sql.slice(0, 30).replace('*', "COLUMNS('matched_0_')")))
    expect(own).toEqual([expect.stringMatching(/^EXPLAIN QUERY TREE run_passes = 0 /)])
    expect(received.filter(text => text.startsWith('EXPLAIN json')).length).toBeGreaterThan(0)
  })

  it('have two separate budgets', async () => {
    const refused = draft('SELECT * FROM system.users')
    const failing = draft('SELECT colour FROM sales')
    const drafts = [failing, refused, failing, refused, failing, failing, draft('SELECT sum(amount) FROM sales')]
    suite.script = { generate: call => drafts[attempt(call) - 1] ?? 'too many' }
    const { result } = await (await suite.open()).ask('How much?')
    expect(result.queries).toMatchObject([{ attempts: 7, error: null, rows: [['60']] }])
    expect(result.queries[0]?.failed_attempts.map(failed => failed.kind)).toEqual([
      'unknown_name',
      'guard',
      'unknown_name',
      'guard',
      'unknown_name',
      'unknown_name',
    ])
  })

  it('that are spent leave an answer with suggestions', async () => {
    suite.script = { generate: () => draft('SELECT amout FROM sales') }
    const { result } = await (await suite.open()).ask('How much?')
    expect(result.answer).toMatch(
      /^I could not answer this: [^\n]*\.\n\n\*\*Did you mean\*\* `amount`\?\n\n\*\*What you can do:\*\* [^\n]*"which values of amount are there in default\.sales\?"\n\n[\s\S]*\(5 times\)/,
    )
  })

  it('for an unknown table are answered with the similar one', async () => {
    suite.script = { generate: () => draft('SELECT sum(amount) FROM sale') }
    const { result } = await (await suite.open()).ask('How much?')
    expect(result.answer).toMatch(/\*\*Did you mean\*\* `default\.sales`\?[\s\S]*"describe default\.sales"/)
  })

  it('see the errors of earlier ones', async () => {
    suite.script = { generate: call => draft(attempt(call) === 1 ? 'SELECT amout FROM sales' : 'SELECT sum(amount) FROM sales') }
    const generated = suite.calls('generate')
    await (await suite.open()).ask('How much?')
    const second = promptOf(generated()[1] ?? missing())
    expect([fenced(second, 'sql'), fenced(second, 'error')]).toEqual([
      'SELECT amout FROM sales',
      expect.stringMatching(/amout.*amount/s),
    ])
  })

  it.each([
    ['another column', 'SELECT sum(visitor) AS n FROM sales', 'There is no column `visitor`; the query does without it.'],
    ['a similar one', 'SELECT sum(amout) AS n FROM sales', 'There is no column `amout`; `amount` was taken.'],
  ])('name the unknown column if the answer rests on %s', async (_, sql, said) => {
    suite.script = { generate: call => draft(attempt(call) === 1 ? sql : 'SELECT sum(amount) AS n FROM sales') }
    const { result } = await (await suite.open()).ask('What is the amout of each visitor?')
    expect(result).toMatchObject({ confidence: 'MEDIUM', confidence_reason: said, note: said })
    expect(result.answer.endsWith(`\n\n${said}`)).toBe(true)
  })

  it.each([
    ['time', 'timeout', ENDLESS, /shorter period or fewer groups/, { queryTimeoutMs: 400 }],
    [
      'room',
      'resource',
      'SELECT length(groupArray(number + 7)) AS n FROM numbers(100000000)',
      /fits the limits of the warehouse/,
      {},
    ],
  ])('get one narrower query after one that took too much %s', async (_, kind, sql, advice, limits) => {
    suite.script = { generate: () => draft(sql.replace('7', String(attemptsAsked++))) }
    let attemptsAsked = 20
    const generated = suite.calls('generate')
    const { result } = await (await suite.open(limits)).ask('How much?')
    expect(generated()).toHaveLength(2)
    expect(promptOf(generated()[1] ?? missing())).toContain('too expensive')
    expect(result.queries[0]?.failed_attempts.map(failed => failed.kind)).toEqual([kind, kind])
    expect(result.answer).toMatch(advice)
    expect(await suite.running()).toBe(0)
  })

  it('tell of time, and not of what was read, if nothing could be left out of a query that took too long', async () => {
    suite.script = { generate: () => draft(ENDLESS) }
    const { result } = await (await suite.open({ queryTimeoutMs: 400 })).ask('How much?')
    expect(result.queries[0]?.failed_attempts.map(failed => failed.kind)).toEqual(['timeout', 'timeout'])
    expect(result.answer).toMatch(/^I could not answer this: the query took longer than it may\.\n/)
  })

  it.each([
    ['syntax', 'SELEC 1', 'no query that was written for it works'],
    ['not_select', 'DROP TABLE sales', 'it needs data that I do not have here, or a query that I may not run'],
  ])('that the guard refuses tell why: %s', async (code, sql, cause) => {
    suite.script = { generate: () => draft(sql) }
    const { result } = await (await suite.open()).ask('How much?')
    expect(result.queries[0]?.failed_attempts.at(-1)).toMatchObject({ kind: 'guard', code })
    expect(result.answer.split('\n')[0]).toBe(`I could not answer this: ${cause}.`)
  })

  it.each([
    [241, 'Query memory limit exceeded: would use 2.00 GiB', 'resource', 2, 'needs more memory than one query may use'],
    [36, 'Query tree is too big. Maximum: 20000', 'resource', 2, 'too long, or too deeply nested'],
    [160, 'Query is executing too slow', 'timeout', 2, 'longer than the warehouse allows'],
    [396, 'Limit for result exceeded, max bytes: 50.00 MB', 'resource', 2, 'larger than one query may return'],
    [497, 'clew_reader: Not enough privileges. /var/lib', 'denied', 1, 'does not let Clew run'],
    [516, 'clew_reader: Authentication failed. /var/lib', 'authentication', 1, 'does not accept Clew’s credentials'],
    [201, 'Quota for user `clew_reader` has been exceeded', 'unavailable', 1, 'too busy'],
    [246, 'Corrupted part at /var/lib/clickhouse/x', 'broken', 1, 'cannot read a part of its own data'],
  ])('treat code %i (%s) in one way', async (code, message, kind, drafts, told) => {
    // The error occurs twice: first when the plan of the query is read, then when the query runs.
    await suite.engine.inject({ kind: 'exception', code, message, matching: 'LIMIT 101\nFORMAT', times: 2 })
    const generated = suite.calls('generate')
    let asked = 0
    suite.script = {
      generate: () => draft(`SELECT sum(amount) + ${asked++} AS amount FROM sales`),
      synthesize: () => 'Some [Q1].',
    }
    const { result } = await (await suite.open()).ask('How much?')
    expect(generated()).toHaveLength(drafts)
    expect(result.queries[0]?.failed_attempts).toMatchObject([{ kind, message: expect.stringContaining(told) }])
    expect(result.queries[0]?.narrowed).toEqual(drafts === 2 ? expect.stringContaining(told) : null)
    expect(JSON.stringify(result)).not.toMatch(/\/var\/lib|clew_reader/)
  })

  it('reload the schema when a column has been renamed', async () => {
    for (const sql of [
      'CREATE TABLE moving (old_name UInt8) ENGINE = MergeTree ORDER BY tuple()',
      'INSERT INTO moving VALUES (7)',
    ])
      await suite.engine.warehouse.write({ sql }, never)
    const { ask, schemaSource } = await suite.open()
    await schemaSource.load(never)
    suite.script = {
      generate: call => {
        const names = fenced(promptOf(call), 'schema')
        return names.includes('new_name') ? draft('SELECT new_name FROM moving') : draft('SELECT old_name FROM moving')
      },
      decompose: () => async exchange => {
        await suite.engine.warehouse.write({ sql: 'ALTER TABLE moving RENAME COLUMN old_name TO new_name' }, never)
        await answer(plan('The value.'))(exchange)
      },
    }
    const { result } = await ask('What is it?')
    await suite.engine.warehouse.write({ sql: 'DROP TABLE moving' }, never)
    expect(result.queries).toMatchObject([{ attempts: 2, error: null, rows: [[7]] }])
  })

  it('cut a result that is too long, and say so', async () => {
    suite.script = { generate: () => draft('SELECT number FROM numbers(500)') }
    const summed = suite.calls('synthesize')
    const { result } = await (await suite.open({ maxRows: 10 })).ask('Which numbers?')
    expect(result.queries).toMatchObject([{ row_count: 10, truncated: true, total_rows: 500 }])
    expect(promptOf(summed()[0] ?? missing())).toContain('The result was cut: its first 10 rows were fetched, of 500 in all.')
  })
})

describe('a LIMIT', () => {
  const numbers = 'SELECT number FROM numbers(500)'
  const lister = `SELECT *\nFROM\n(\n    ${numbers}\n) ORDER BY number LIMIT 100`

  it.each([
    ['that nobody asked for is removed', 'Which numbers are there?', `${numbers} ORDER BY number LIMIT 100`, 500],
    ['of a query with subqueries is removed too', 'Which numbers are there?', lister, 500],
    ['that the question asks for stays', 'Which are the first 100 numbers?', `${numbers} ORDER BY number LIMIT 100`, 100],
    ['that the question asks for in words stays', 'A hundred numbers, please', `${numbers} LIMIT 100`, 100],
    ['of few rows stays', 'Show me a few numbers', `${numbers} LIMIT 20`, 20],
    ['of each group stays', 'Which numbers are there?', `${numbers} LIMIT 60 BY number % 2`, 120],
    ['of one part stays', 'Which numbers are there?', `${numbers} UNION ALL ${numbers} LIMIT 100`, 600],
    ['inside a query stays', 'Which numbers are there?', `SELECT number FROM (${numbers} LIMIT 100)`, 100],
  ])('%s', async (_, question, sql, rows) => {
    suite.script = {
      classify: () => classified({ standalone_question: question }),
      generate: () => draft(sql),
    }
    const { result } = await (await suite.open({ maxRows: 1_000 })).ask(question)
    expect(result.queries).toMatchObject([{ row_count: rows, truncated: false }])
  })

  it.each([
    ['', `${numbers} ORDER BY number LIMIT 20`, '20 rows'],
    [' with its ties', `${numbers} ORDER BY intDiv(number, 4) LIMIT 2 WITH TIES`, '4 rows'],
    [' of one', `${numbers} ORDER BY number LIMIT 1`, '1 row'],
  ])('is never taken for the number of all rows%s', async (_, sql, rows) => {
    suite.script = { generate: () => draft(sql) }
    const summed = suite.calls('synthesize')
    await (await suite.open()).ask('Which numbers?')
    expect(promptOf(summed()[0] ?? missing())).toContain(`${rows}, as many as the query's LIMIT lets through: no count of all.`)
  })
})

function missing(): never {
  throw new Error('the model was not called')
}
