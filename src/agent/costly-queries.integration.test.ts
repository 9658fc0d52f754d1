import { beforeEach, describe, expect, it } from '@jest/globals'
import type { ScriptedCall } from '../../test/emulators/model/model-script.ts'
import { status } from '../../test/emulators/model/model-scripts.ts'
import { AnalystSuite, draft, never } from '../../test/support/analyst-suite.ts'
import { until } from '../../test/support/queue-harness.ts'
import { fenced, promptOf } from '../../test/support/scripted-analyst.ts'
import { type AskPerson, interruptSchema } from './ask-back/interrupt.ts'
import type { RunObserver } from './run/event.ts'
import { newRunId } from './run/id.ts'

/** Texts of the maximum length of a cell. */
const TEXTS = ['a', 'b', 'c', 'd', 'e', 'f']
const suite = new AnalystSuite({
  statements: [
    'CREATE TABLE visits (day Date, shop String, visitors UInt32) ENGINE = MergeTree PARTITION BY toYYYYMM(day) ORDER BY day',
    "INSERT INTO visits SELECT toDate('2026-01-01') + number, 'Oslo', 1 FROM numbers(90)",
    `CREATE TABLE notes (day Date, ${TEXTS.map(name => `${name} String DEFAULT randomPrintableASCII(9999)`).join(', ')}) ENGINE = MergeTree ORDER BY day`,
    "INSERT INTO notes (day) SELECT toDate('2026-01-01') + number FROM numbers(100)",
  ],
})

describe('a result of five megabytes', () => {
  it('is not read again by a resumed run', async () => {
    const NOTES = `SELECT day, ${TEXTS.join(', ')} FROM notes`
    const runId = newRunId()
    const { ask } = await suite.open()
    suite.script = { generate: () => draft(NOTES), synthesize: () => 'They wrote much [Q1].' }
    const before = (await suite.ran('FROM notes')).length
    const first = new AbortController()
    const observe: RunObserver = event => event.kind === 'query_finished' && first.abort()
    await expect(ask('What did they write?', { runId, signal: first.signal, observe })).rejects.toBeDefined()
    const { result } = await ask('What did they write?', { runId })
    expect(JSON.stringify(result.queries[0]?.rows).length).toBeGreaterThan(5_000_000)
    expect(result.answer).toContain('They wrote much [Q1].')
    expect(await suite.ran('FROM notes')).toHaveLength(before + 1)
  })
})

describe('a query over the budget', () => {
  const WIDE = 'SELECT sum(visitors) AS visitors FROM visits'
  const MARCH = `${WIDE} WHERE day >= '2026-03-01'`
  /** A budget that allows a third of `visits`. */
  const budget = { maxRows: 45, maxBytes: 0 }
  const LEFT_OUT = 'Only March 2026 was read.'
  const narrowed = { ...draft(MARCH), deciding_assumptions: [LEFT_OUT] }
  const isNarrower = (call: ScriptedCall) => promptOf(call).includes('# The query was right, but too expensive')
  beforeEach(() => {
    suite.script = {
      generate: call => (isNarrower(call) ? narrowed : draft(WIDE)),
      synthesize: () => 'They had {sum(visitors)} visitors [Q1].',
    }
  })
  /** Returns the runs of queries on `visits`. Checks do not count. */
  const ran = () => suite.ran('FROM visits')

  it('is narrowed before anything runs, and the answer says so', async () => {
    const before = (await ran()).length
    const { ask, events } = await suite.open({ budget })
    const generated = suite.calls('generate')
    const { result } = await ask('How many visitors?')
    expect(result.queries).toMatchObject([{ attempts: 2, error: null, rows: [['31']], deciding_assumptions: [LEFT_OUT] }])
    expect(result.queries[0]?.narrowed).toBe('The whole would read about 360 bytes (90 rows) of `visits`; allowed are 45 rows.')
    expect(result).toMatchObject({ confidence: 'MEDIUM', confidence_reason: LEFT_OUT, note: LEFT_OUT })
    expect(result.answer).toBe(`They had 31 visitors [Q1].\n\n**Assumed:** ${LEFT_OUT}`)
    expect((await ran()).slice(before)).toEqual([expect.stringContaining("'2026-03-01'")])
    expect(fenced(promptOf(generated()[1] ?? missing()), 'tables')).toMatch(
      /visits: 90 rows.*ORDER BY \(day\).*PARTITION BY \(toYYYYMM\(day\)\)/,
    )
    expect(events).toContainEqual(expect.objectContaining({ kind: 'query_narrowed', id: 'Q1' }))
  })

  it('fails with figures and a remedy if the narrowed query is over the budget too', async () => {
    suite.script = { ...suite.script, generate: call => draft(isNarrower(call) ? `${WIDE} WHERE shop = 'Oslo'` : WIDE) }
    const before = (await ran()).length
    const { ask, schemaSource } = await suite.open({ budget })
    await until('the range of days is known', async () =>
      (await schemaSource.load(never)).tables.some(
        ({ name, columns }) => name === 'visits' && columns[0]?.statistics !== undefined,
      ),
    )
    const generated = suite.calls('generate')
    const { result } = await ask('How many visitors?')
    expect(generated()).toHaveLength(2)
    expect(result.queries[0]?.failed_attempts.map(({ kind }) => kind)).toEqual(['cost', 'cost'])
    expect(result.answer).toContain('would read about 3.2 kB (90 rows) of `visits`; allowed are 45 rows')
    expect(result.answer).toContain('Ask for a shorter period: about 45 days would fit. `visits` is kept in the order of day')
    expect((await ran()).slice(before)).toEqual([])
  })

  it.each([
    [
      'the same query in another spelling',
      draft('select sum( visitors ) as visitors\nfrom visits -- cheaper now'),
      'no query that reads less',
    ],
    [
      'none, with the reason',
      { ...draft(''), explanation: 'A maximum of all time needs all.' },
      'A maximum of all time needs all.',
    ],
  ])('fails if the model returns %s', async (_, second, reason) => {
    suite.script = { ...suite.script, generate: call => (isNarrower(call) ? second : draft(WIDE)) }
    const before = (await ran()).length
    const { result } = await (await suite.open({ budget })).ask('How many visitors?')
    expect(result.answer).toContain(`Nothing could be left out: ${reason}`)
    expect((await ran()).slice(before)).toEqual([])
  })

  it('appears in the answer if its narrowed form does not say what it leaves out', async () => {
    suite.script = { ...suite.script, generate: call => draft(isNarrower(call) ? MARCH : WIDE) }
    const { result } = await (await suite.open({ budget })).ask('How many visitors?')
    expect(result.answer).toContain(
      "Only a part of what was asked for was read, because all of it would be too much: `SELECT sum(visitors) AS visitors FROM visits WHERE day >= '2026-03-01'`",
    )
  })

  it('is not answered from another table', async () => {
    const drafts = [draft(WIDE), draft('SELECT sum(amount) AS visitors FROM sales'), narrowed]
    let asked = 0
    suite.script = { ...suite.script, generate: () => drafts[asked++] ?? 'too many' }
    const { result } = await (await suite.open({ budget })).ask('How many visitors?')
    expect(result.queries).toMatchObject([{ rows: [['31']], failed_attempts: [{ kind: 'cost' }, { kind: 'guard' }] }])
  })

  it('may have its narrowed form corrected', async () => {
    const drafts = [draft(WIDE), draft(`${MARCH} AND shpo != ''`), narrowed]
    let asked = 0
    suite.script = { ...suite.script, generate: () => drafts[asked++] ?? 'too many' }
    const { result } = await (await suite.open({ budget })).ask('How many visitors?')
    expect(result.queries).toMatchObject([{ attempts: 3, error: null, rows: [['31']], narrowed: expect.any(String) }])
  })

  it.each([
    ['run', [['90']], null],
    ['narrow', [['31']], expect.stringContaining('allowed are 45 rows')],
  ] as const)('is asked about if a person can answer: %s', async (choice, rows, narrowing) => {
    const asked: unknown[] = []
    const before = (await ran()).length
    const askPerson: AskPerson = async interrupt => {
      expect((await ran()).length).toBe(before)
      asked.push(JSON.parse(JSON.stringify(interrupt)))
      return choice
    }
    const { result } = await (await suite.open({ budget })).ask('How many visitors?', { askPerson })
    expect(asked.map(each => interruptSchema.parse(each))).toEqual([
      {
        kind: 'need_confirm',
        question: 'Q1 (How many visitors?) would read about 360 bytes (90 rows) of `visits`; allowed are 45 rows.',
        choices: expect.arrayContaining([{ value: choice, label: expect.any(String) }]),
      },
    ])
    expect(result.queries).toMatchObject([{ error: null, rows, narrowed: narrowing }])
  })

  it('ends there if the person says stop', async () => {
    const before = (await ran()).length
    const { result } = await (await suite.open({ budget })).ask('How many visitors?', { askPerson: async () => 'stop' })
    expect(result.queries[0]?.failed_attempts).toMatchObject([{ kind: 'stopped' }])
    expect(result.answer).toMatch(/^I could not answer this/)
    expect((await ran()).slice(before)).toEqual([])
  })

  it('is not asked about again by a resumed run', async () => {
    let asked = 0
    const askPerson: AskPerson = async () => {
      asked++
      return 'run'
    }
    const runId = newRunId()
    const { ask } = await suite.open({ budget })
    suite.script = { ...suite.script, synthesize: () => status(401) }
    const first = new AbortController()
    const interrupted = ask('How many visitors?', {
      runId,
      askPerson,
      signal: first.signal,
      observe: event => event.kind === 'query_finished' && first.abort(),
    })
    await expect(interrupted).rejects.toBeDefined()
    suite.script = { ...suite.script, synthesize: () => 'They had {sum(visitors)} visitors [Q1].' }
    const { result } = await ask('How many visitors?', { runId, askPerson })
    expect([asked, result.queries[0]?.rows]).toEqual([1, [['90']]])
  })

  it("waits for a person without the run's clock, until the run is cancelled", async () => {
    const controller = new AbortController()
    const { ask } = await suite.open({ budget })
    const asked = ask('How many visitors?', {
      signal: controller.signal,
      askPerson: () => {
        controller.abort(new Error('nobody is there'))
        return new Promise(() => {})
      },
    })
    await expect(asked).rejects.toMatchObject({ code: 'model_cancelled', cause: { message: 'nobody is there' } })
  })
})

function missing(): never {
  throw new Error('the model was not called')
}
