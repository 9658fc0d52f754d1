import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { answer } from '../../../test/emulators/model/model-scripts.ts'
import { type ScriptedModel, startScriptedModel } from '../../../test/emulators/model/scripted-model.ts'
import { runClew } from '../../../test/support/run-clew.ts'
import { type ScriptedQuestion, scriptedAnalyst } from '../../../test/support/scripted-analyst.ts'
import type { EvalReport } from '../../evals/report.ts'

const WORLD = `-- A shop.
CREATE DATABASE shop;
CREATE TABLE shop.orders (id UInt32, city String) ENGINE = MergeTree ORDER BY id;
INSERT INTO shop.orders VALUES (1, 'Oslo'), (2, 'Oslo'), (3, 'Bergen');
`
const BOOK: Record<string, ScriptedQuestion> = {
  'How many orders are there?': {
    queries: { 'How many orders are there?': ['SELECT count() AS n FROM orders'] },
    answer: '3 [Q1].',
  },
  'How many orders are there per city?': {
    queries: { 'How many per city?': ["SELECT city, 2 AS n FROM orders WHERE city = '<Oslo>' OR id < 3"] },
    answer: 'Two [Q1].',
  },
  'What will the weather be?': { intent: 'out_of_scope', reply: 'I only know the shop.' },
  'How many parcels are there?': {
    queries: { 'How many parcels?': ['SELECT count() AS n FROM parcels', 'SELECT count() AS n FROM parcels'] },
  },
  'And in Oslo?': {
    standalone: 'How many orders are there in Oslo?',
    queries: { 'How many?': ["SELECT count() FROM orders WHERE city = 'Oslo'"] },
  },
}
const CASES = [
  { id: 'orders', question: 'How many orders are there?', gold_sql: ['SELECT 3'], database: 'shop', tags: ['easy'] },
  {
    id: 'per-city',
    question: 'How many orders are there per city?',
    gold_sql: ['SELECT city, count() FROM orders GROUP BY city'],
    database: 'shop',
    tags: ['group'],
  },
  {
    id: 'weather',
    question: 'What will the weather be?',
    database: 'shop',
    expect: { intent: 'out_of_scope', never_mentions: ['°C'] },
  },
  {
    id: 'in-oslo',
    question: 'And in Oslo?',
    history: [
      { role: 'user', content: 'How many orders are there?' },
      { role: 'assistant', content: 'Three.' },
    ],
    gold_sql: ["SELECT count() FROM orders WHERE city = 'Oslo'"],
    database: 'shop',
    tags: ['follow-up'],
  },
]

let model: ScriptedModel
let folder: string
let env: Record<string, string>

beforeAll(async () => {
  const analyst = scriptedAnalyst(BOOK)
  model = await startScriptedModel({ onRequest: call => answer(analyst(call)) })
  env = { OPENAI_BASE_URL: model.baseUrl, OPENAI_MODEL: 'scripted' }
})

afterAll(async () => await model.close())

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'clew-evals-test-'))
  await mkdir(join(folder, 'world'))
  await writeFile(join(folder, 'world', '1-shop.sql'), WORLD)
  await writeFile(join(folder, 'cases.jsonl'), CASES.map(each => JSON.stringify(each)).join('\n'))
  return async () => await rm(folder, { recursive: true, force: true })
})

const evals = (...args: string[]) =>
  runClew(['evals', '--cases', join(folder, 'cases.jsonl'), '--out', join(folder, 'out'), ...args], env)
const reportOf = async (file: string) => JSON.parse(await readFile(join(folder, file), 'utf8')) as EvalReport

describe('clew evals', () => {
  it("creates the cases' data, asks each case, and reports the results", async () => {
    const { status, output, errors } = await evals('--json', join(folder, 'copy.json'))
    expect([status, errors.match(/per-city: .*/)?.[0]]).toEqual([0, 'per-city: wrong_rows, no column has the values of city'])
    const report = await reportOf('copy.json')
    expect(report.all).toMatchObject({ cases: 4, correct: 0.75, first_try: 0.75, error_free: 1, reasons: { wrong_rows: 1 } })
    expect(report.by_tag['follow-up']).toMatchObject({ cases: 1, correct: 1 })
    expect(report.all.tokens.in).toBeGreaterThan(0)
    expect(output).toContain('per-city: wrong_rows')

    const transcript = JSON.parse(await readFile(join(folder, 'out', 'in-oslo.json'), 'utf8'))
    // The steps `decompose` and `classify` run at the same time, so either may come first.
    expect(transcript.calls.map((call: { step: string }) => call.step).sort()).toEqual([
      'classify',
      'decompose',
      'generate',
      'synthesize',
    ])
    expect(JSON.stringify(transcript.calls[0].messages)).toContain('Three.')

    const page = await readFile(join(folder, 'out', 'report.html'), 'utf8')
    expect(page).toContain('SELECT city, count() FROM orders GROUP BY city')
    expect(page).not.toContain('<Oslo>')
  })

  it('continues after a stop, repeats changed cases, and compares with an earlier report', async () => {
    await evals('--sample', '2', '--json', join(folder, 'before.json'))
    const before = await reportOf('before.json')
    expect(before.cases).toHaveLength(2)
    const asked = model.calls.length
    const changed = CASES.map(each => (each.id === before.cases[0]?.id ? { ...each, tags: ['changed'] } : each))
    await writeFile(join(folder, 'cases.jsonl'), changed.map(each => JSON.stringify(each)).join('\n'))
    const { output, errors } = await evals('--compare', join(folder, 'before.json'))
    expect(errors.match(/answered before/g)).toHaveLength(1)
    expect(model.calls.length).toBeGreaterThan(asked)
    const others = CASES.map(({ id }) => id).filter(id => !before.cases.some(each => each.id === id))
    expect(output).toContain(`Not asked before: ${others.join(', ')}`)
  }, 120_000)

  it('leaves parts of the context out of the prompts, in a separate run', async () => {
    const { status } = await evals('--without', 'samples,row_counts', '--sample', '1', '--json', join(folder, 'without.json'))
    const report = await reportOf('without.json')
    expect([status, report.model]).toEqual([0, 'scripted without-row_counts-samples'])
    const transcript = await readFile(join(folder, 'out', `${report.cases[0]?.id}.json`), 'utf8')
    expect(transcript).toContain('TABLE shop.orders -- MergeTree; ORDER BY (id) unique')
    expect(transcript).not.toContain("'Bergen'")

    const asked = model.calls.length
    const { output } = await evals('--context')
    expect(output).toMatch(/^part +tokens +share\nshop +[1-9]\d*\s+types /)
    expect(output).toMatch(/\nsamples +[1-9]\d* +\d+ %\n/)
    expect(model.calls.length).toBe(asked)
    expect((await evals('--without', 'everything')).errors).toContain(
      'no part of the context called everything: there are types,',
    )
  }, 180_000)

  it('counts no names in an answer that the program has written', async () => {
    const parcels = { id: 'parcels', question: 'How many parcels are there?', gold_sql: ['SELECT 1'], database: 'shop' }
    await writeFile(join(folder, 'cases.jsonl'), JSON.stringify(parcels))
    await evals('--json', join(folder, 'copy.json'))
    const [report] = (await reportOf('copy.json')).cases
    expect(report).toMatchObject({ correct: false, error_free: false, unseen_names: [] })
  })

  it.each([
    ['no such file', undefined, /The cases cannot be read from .*cases\.jsonl: there is no such file or folder\./],
    ['a line that is none', '{"id": "a"}', /cases\.jsonl is wrong: line 1: question is missing\. docs/],
    ['a case without an answer', '{"id": "a", "question": "b"}', /line 1: the case needs gold_sql or expect\. docs/],
  ])('refuses %s in one sentence', async (_, text, sentence) => {
    if (text === undefined) await rm(join(folder, 'cases.jsonl'))
    else await writeFile(join(folder, 'cases.jsonl'), text)
    const { status, errors } = await evals()
    expect([status, errors.trim().split('\n').length]).toEqual([2, 1])
    expect(errors).toMatch(sentence)
  })

  it('records nothing for a case if the model is unreachable', async () => {
    const { status, errors } = await runClew(
      ['evals', '--cases', join(folder, 'cases.jsonl'), '--out', join(folder, 'out'), '--sample', '1'],
      { ...env, OPENAI_BASE_URL: 'http://127.0.0.1:9/v1' },
    )
    expect([status, errors]).toEqual([1, expect.stringContaining('model')])
    await expect(readFile(join(folder, 'out', 'orders.json'))).rejects.toThrow('ENOENT')
  })
})
