import { describe, expect, it } from '@jest/globals'
import { AnalystSuite, classified, draft, plan, type Script } from '../../../test/support/analyst-suite.ts'
import { promptOf } from '../../../test/support/scripted-analyst.ts'
import { newRunId } from '../run/id.ts'
import type { Subscribe, SubscriptionDraft } from './frozen-plan.ts'

const MESSAGE = 'Every weekday at 8:30: how much was sold yesterday?'
const QUESTION = 'How much was sold yesterday?'
const MOVING = 'SELECT sum(amount) AS amount FROM sales WHERE day = today() - 1'
const understood = (given: object = {}) => ({
  kind: 'report',
  question: QUESTION,
  schedule: { unit: 'weeks', every: 1, weekdays: ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'], at: ['08:30'] },
  time_zone: null,
  condition: null,
  only_new_data: false,
  clarification: null,
  ...given,
})
const DEFAULTS: Script = {
  classify: () => classified({ intent: 'subscription', standalone_question: null }),
  decompose: () => plan(QUESTION),
  generate: () => draft(MOVING),
  subscribe: () => understood(),
  synthesize: () => 'Nothing was sold [Q1].',
}
const RETURNS = 'CREATE TABLE returned (ay Date, day Date, shop String) ENGINE = MergeTree ORDER BY day'
const DEVICES = [
  'CREATE TABLE devices (device String, site String, seen DateTime) ENGINE = ReplacingMergeTree ORDER BY device',
  "INSERT INTO devices VALUES ('a', 'x', '2026-03-01 10:00:00'), ('b', 'x', '2026-03-02 10:00:00')",
]
const suite = new AnalystSuite({ defaults: DEFAULTS, statements: [RETURNS, ...DEVICES] })

/** Sends the message, and presses a button if there is a question to confirm. */
async function make(script: Script = {}, press?: 'set_up' | 'leave', revised?: { draft: SubscriptionDraft; words: string }) {
  suite.script = script
  const { ask } = await suite.open()
  const kept: SubscriptionDraft[] = []
  const subscribe: Subscribe = {
    async keep(each) {
      kept.push(each)
      return Date.parse('2026-03-05T23:30:00Z')
    },
    revised: async () => revised,
  }
  const runId = newRunId()
  const asked = await ask(MESSAGE, { runId, subscribe, askPerson: async () => undefined })
  if (press === undefined) return { ...asked, kept, asked }
  const choice = { value: press, steps: asked.waiting }
  return { ...(await ask(MESSAGE, { runId, subscribe, choice })), kept, asked }
}

describe('setting up what recurs', () => {
  it('shows schedule, next times, question, SQL and cost, and keeps nothing before the button', async () => {
    const generated = suite.calls('generate')
    const { result, kept } = await make()
    expect(result).toMatchObject({
      intent: 'subscription',
      interrupt: { kind: 'need_confirm', choices: [{ value: 'set_up' }, { value: 'leave' }] },
    })
    const text = result.answer
    expect(text).toMatch(/^Nothing was sold\./)
    expect(text).toContain('**Report** every week on Monday, Tuesday, Wednesday, Thursday, Friday at 08:30 (Asia/Tokyo)')
    expect(text).toContain('**Next times:** Fri, 6 Mar 2026, 08:30; Mon, 9 Mar 2026, 08:30; Tue, 10 Mar 2026, 08:30')
    expect(text).toMatch(/It starts \d+ s after each, so that not everything starts at once\./)
    expect(text).toContain(`**Question:** ${QUESTION}`)
    expect(text).toMatch(/WHERE day = \(?today\(\) - 1\)?/)
    expect(text).toMatch(/\*\*Cost:\*\* about 18 tokens a run, 2[12] runs in 30 days/)
    expect(kept).toEqual([])
    const prompt = generated().map(promptOf).at(-1)
    expect(prompt).toContain('write every moment and period that is meant from now relative to the clock')
  })

  it('keeps the confirmed SQL with its clock, without asking a model again', async () => {
    const { kept, result } = await make({}, 'set_up')
    expect(kept).toEqual([
      {
        id: expect.stringMatching(/^sub_[0-9a-f]{12}$/),
        kind: 'report',
        recurrence: { schedule: understood().schedule, zone: 'Asia/Tokyo', from: '2026-03-06' },
        condition: null,
        once: false,
        plan: {
          question: QUESTION,
          queries: [expect.objectContaining({ id: 'Q1', sql: expect.stringContaining('today()') })],
          gate: null,
          source: null,
        },
      },
    ])
    expect(result.answer).toBe(`It is set up as \`${kept[0]?.id}\`. The next time is Fri, 6 Mar 2026, 08:30.`)
  })

  it('says that it cannot come to another place, and tells its hours', async () => {
    const schedule = { unit: 'minutes', every: 60, weekdays: ['monday'], between: { from: '08:00', to: '18:00' } }
    const { result } = await make({ subscribe: () => understood({ elsewhere: '#noc', schedule }) })
    expect(result.answer).toContain('I can only tell, and only there: not “#noc”.')
    expect(result.answer).toContain('every hour on Monday from 08:00 to 18:00 (Asia/Tokyo)')
  })

  it('ends a report that comes once with its first day, and lets its SQL have dates', async () => {
    const schedule = { unit: 'days', every: 1, at: ['08:30'] }
    const generate = () => draft("SELECT sum(amount) AS amount FROM sales WHERE day = '2026-03-03'")
    const { kept, result, asked } = await make({ generate, subscribe: () => understood({ schedule, once: true }) }, 'set_up')
    expect(asked.result.answer).toMatch(/\*\*Next times:\*\* Fri, 6 Mar 2026, 08:30\n.* one run in 30 days/s)
    expect(result.answer).toContain('It is set up')
    expect(kept).toMatchObject([{ once: true, recurrence: { from: '2026-03-06', until: '2026-03-06' } }])
  })

  it('keeps nothing if the person leaves it', async () => {
    const { kept, result } = await make({}, 'leave')
    expect([kept, result.answer]).toEqual([[], 'Nothing was set up.'])
  })

  it('asks back what is unclear', async () => {
    const clarification = { question: 'How often?', choices: ['Every day', 'Every Monday'] }
    const { result } = await make({ subscribe: () => understood({ schedule: null, clarification }) })
    expect(result.interrupt).toMatchObject({ kind: 'need_clarification', question: 'How often?' })
  })

  it.each([
    [
      'fixed dates',
      { generate: () => draft("SELECT sum(amount) AS amount FROM sales WHERE day = '2026-03-03'") },
      'the query has fixed dates (`2026-03-03`)',
    ],
    [
      'a clock that does not move',
      { generate: () => draft('SELECT sum(amount) AS amount FROM sales WHERE day = toDate(now) - 1') },
      'the query reads the clock by `now`. Add to your question: “count from now() or current_date”.',
    ],
    [
      'a condition without a figure',
      {
        generate: () => draft('SELECT shop FROM sales'),
        subscribe: () => understood({ condition: { kind: 'threshold', operator: 'above', value: 1, minutes: 0 } }),
      },
      'no single figure',
    ],
    [
      'a comparison of more rows than are remembered',
      {
        generate: () => draft('SELECT toString(number) AS shop FROM numbers(300)'),
        subscribe: () => understood({ condition: { kind: 'appears' } }),
      },
      'too long to be watched: 200 rows at most',
    ],
    ['no data question', { decompose: () => ({ ...plan(), error: 'There is nothing.' }) }, 'What cannot be answered now'],
    [
      'a schedule that never is',
      { subscribe: () => understood({ schedule: { unit: 'months', months: [2], days: [31], at: ['09:00'] } }) },
      'no time at all',
    ],
  ] satisfies readonly [string, Script, string][])('sets up nothing for %s', async (_, script, sentence) => {
    const { result, kept } = await make(script)
    expect(result.answer).toContain(sentence)
    expect([result.interrupt, kept]).toEqual([null, []])
  })

  it('has a gate over the times of the tables where only new data counts', async () => {
    const { kept } = await make({ subscribe: () => understood({ only_new_data: true }) }, 'set_up')
    expect(kept[0]?.plan.gate).toBe('SELECT (SELECT max(`day`) FROM `default`.`sales`) AS t1')
  })

  it('has a gate over a column of the key, and not over one whose name is a part of it', async () => {
    const generate = () => draft('SELECT count() AS n FROM returned WHERE day = today() - 1')
    const { kept } = await make({ generate, subscribe: () => understood({ only_new_data: true }) }, 'set_up')
    expect(kept[0]?.plan.gate).toBe('SELECT (SELECT max(`day`) FROM `default`.`returned`) AS t1')
  })

  it('changes one that there is, which the prompt shows, and keeps its id', async () => {
    const first = (await make({}, 'set_up')).kept[0]
    if (first === undefined) throw new Error('nothing was kept')
    const draft = { ...first, id: 'sub_1', recurrence: { ...first.recurrence, zone: 'Europe/Berlin' } }
    const prompts = suite.calls('subscribe')
    const schedule = { unit: 'days', every: 1, at: ['09:00'] }
    const script = { subscribe: () => understood({ schedule }), classify: () => classified({ intent: 'out_of_scope' }) }
    const { kept, asked, result } = await make(script, 'set_up', { draft, words: 'every day at 9 instead' })
    expect(asked?.result.answer).toMatch(/\*\*Where:\*\* where it has come so far.*Shall this take the place of `sub_1`\?/s)
    expect(result.answer).toContain('It is set up as `sub_1`')
    expect(kept).toMatchObject([{ id: 'sub_1', recurrence: { schedule, zone: 'Europe/Berlin' } }])
    const [prompt = ''] = prompts().map(promptOf)
    expect(prompt).toContain('"starts":"2026-03-06","until":null,"time_zone":"Europe/Berlin"')
    expect(prompt).toMatch(/That is set up already.*every day at 9 instead/s)
    const clarification = { question: 'Above what?', choices: ['Above 3 %', 'Above 5 %'] }
    const unclear = await make({ subscribe: () => understood({ clarification }) }, undefined, { draft, words: 'only above' })
    expect(unclear.result.interrupt?.choices[0]).toEqual({ value: `${MESSAGE}; Above 3 %`, label: 'Above 3 %' })
  })

  it.each([
    ['SELECT shop, max(day) AS last, sum(amount) AS watched FROM sales GROUP BY shop', [0]],
    [
      'WITH l AS (SELECT shop, max(day) AS last FROM sales GROUP BY shop) SELECT l.last, l.shop, now() AS at, sum(s.amount) AS n FROM l JOIN sales AS s ON s.shop = l.shop WHERE l.last > (SELECT min(day) FROM sales) GROUP BY ALL',
      [1],
    ],
    ['SELECT shop, day FROM sales ORDER BY day DESC LIMIT 1 BY shop', [0]],
    ['SELECT shop, argMax(day, amount) AS best, toStartOfMonth(day) AS month FROM sales GROUP BY shop, month', [0, 2]],
    ['SELECT shop, day FROM sales', [0, 1]],
    ['SELECT device, site, seen FROM devices', [0]],
    ['SELECT site, seen FROM devices', [0, 1]],
    ['SELECT d.device, d.seen, s.shop FROM devices AS d CROSS JOIN sales AS s', [0, 2]],
    // The name is gathered too, but nothing else tells the rows apart.
    ['SELECT max(device) AS name, max(seen) AS last FROM devices GROUP BY device', undefined],
  ])('knows what tells the rows apart: %s', async (sql, key) => {
    const { kept } = await make({ generate: () => draft(sql) }, 'set_up')
    expect(kept[0]?.plan.queries[0]?.key).toEqual(key)
  })

  it('is for chats only', async () => {
    const { ask } = await suite.open()
    const { result } = await ask(MESSAGE)
    expect(result.answer).toContain('set up in Slack or Discord, openly in a channel or in a direct conversation')
  })
})
