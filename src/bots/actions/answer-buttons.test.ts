import { describe, expect, it } from '@jest/globals'
import { marked } from 'marked'
import { chatPress, keepAnswers, runRecord } from '../../../test/support/presses.ts'
import { queryReport } from '../../../test/support/query-report.ts'
import { downloadCsv } from './download-csv.ts'
import type { Feedback } from './feedback.ts'
import { giveFeedback } from './give-feedback.ts'
import { showSources } from './show-sources.ts'
import { showSql } from './show-sql.ts'

const signal = new AbortController().signal
const everybody = { mayRead: async () => true }
const nobody = { mayRead: async () => false }
const formatSql = async (sql: string) => sql.replace(' FROM', '\nFROM')

describe('Show SQL', () => {
  it('shows each query formatted, with its explanation and assumptions', async () => {
    const { records, keep } = keepAnswers()
    const queries = [
      queryReport({ sql: 'SELECT count() FROM d', assumptions: ['Only what is active counts.'] }),
      queryReport({ id: 'Q2', question: 'And\nlinks?', sql: 'SELECT ```', explanation: '', error: 'It is not SQL.' }),
      queryReport({ id: 'Q3', sql: null, explanation: '', error: 'No model could be reached.' }),
    ]
    await keep(runRecord({ queries }), queries)
    const reply = await showSql({ records, access: everybody, formatSql })(chatPress('sql', { user: 'U2' }), signal)
    expect(reply?.markdown).toBe(
      [
        '**Q1: How many devices are there per metro?**',
        'Counts devices per metro.',
        '- Assumed: Only what is active counts.',
        '```sql\nSELECT count()\nFROM d\n```',
        '**Q2: And links?**',
        'It failed: It is not SQL.',
        '````sql\nSELECT ```\n````',
        '**Q3: How many devices are there per metro?**',
        'It failed: No model could be reached.',
        'No SQL was written.',
      ].join('\n\n'),
    )
  })
})

describe('Show sources', () => {
  const cell = { query: 'Q1', row: 3, name: 'a *b* [c](https://x.example)', column: 'rtt_ms', value: 4.2 }
  const figure = { text: '4.2 ms', query: 'Q1', value: 4.2, formula: null, cells: [cell] }

  it('tells the source of each figure once, as plain text, in the language of the answer', async () => {
    const { records, keep } = keepAnswers()
    await keep(runRecord({ language: 'de', figures: [figure, figure] }))
    const reply = await showSources({ records, access: everybody })(chatPress('sources', { user: 'U2' }), signal)
    expect(marked.lexer(reply?.markdown ?? '')[0]).toMatchObject({ type: 'list', items: [expect.anything()] })
    expect(marked.parseInline(reply?.markdown ?? '')).toBe('- 4.2 ms: Q1, Zeile 3 (a *b* [c](https://x.example)), rtt_ms')
  })

  it('says how many it leaves out, and where none is known', async () => {
    const { records, keep } = keepAnswers()
    const show = () => showSources({ records, access: everybody })(chatPress('sources'), signal)
    await keep(runRecord({ figures: Array.from({ length: 41 }, (_, at) => ({ ...figure, text: `${at} ms` })) }))
    expect((await show())?.markdown).toMatch(/^- 0 ms.*\n- 39 ms[^\n]*\n\nThe source of one more figure is not shown\.$/s)
    await keep(runRecord())
    expect((await show())?.markdown).toBe('No source of a figure is known for this answer.')
  })
})

describe('Download CSV', () => {
  it('gives a file for each query with rows, and says if it was cut', async () => {
    const { records, keep } = keepAnswers()
    const columns = [{ name: 'n', type: 'UInt8' }]
    const queries = [
      queryReport({
        question: 'Geräte pro Stadt, in a sentence that goes on and on',
        columns,
        rows: [['1'], ['2']],
        truncated: true,
      }),
      queryReport({ id: 'Q2', question: '機器', columns, rows: [['3']], truncated: true, total_rows: 4_284 }),
      queryReport({ id: 'Q3', columns, rows: [] }),
      queryReport({ id: 'Q4', columns, rows: [['4']], error: 'It failed.' }),
    ]
    await keep(runRecord({ queries }), queries)
    const reply = await downloadCsv({ records, access: everybody })(chatPress('csv'), signal)
    expect(reply?.files?.map(({ name, content }) => [name, Buffer.from(content).toString('utf8')])).toEqual([
      ['Q1-gerate-pro-stadt-in-a-sentence-that-goes-first-2-rows.csv', '\ufeffn\r\n1\r\n2\r\n'],
      ['Q2-first-1-rows.csv', '\ufeffn\r\n3\r\n'],
    ])
    expect(reply?.markdown).toMatch(
      /^- Q1 \(\*\*the first 2 rows, there are more\*\*\): Geräte .*\n- Q2 \(\*\*the first 1 row of 4,284\*\*\): 機器$/,
    )
  })

  it('says so if no query has rows', async () => {
    const { records, keep } = keepAnswers()
    await keep(runRecord())
    expect(await downloadCsv({ records, access: everybody })(chatPress('csv'), signal)).toEqual({
      markdown: 'There are no rows to download.',
    })
  })
})

describe('Helpful and Not helpful', () => {
  it('keep everything needed to judge the answer later, and thank', async () => {
    const { records, keep } = keepAnswers()
    await keep(runRecord())
    const given: Feedback[] = []
    const feedback = { give: async (each: Feedback) => void given.push(each) }
    const reply = await giveFeedback('unhelpful', { records, feedback })(
      chatPress('unhelpful', { user: 'U2', text: ' too few ' }),
      signal,
    )
    expect(reply?.markdown).toMatch(/^Thank you/)
    expect(given).toEqual([
      {
        runId: 'run_1',
        verdict: 'unhelpful',
        reason: 'too few',
        platform: 'slack',
        workspace: 'T1',
        user: 'U2',
        at: 1_700_000_000_000,
        question: 'how many devices?',
        standaloneQuestion: 'How many devices are there?',
        sql: ['SELECT 1'],
        of: { person: 'slack/U1', channel: 'slack/C1', sources: [], models: [], isOpen: true },
      },
    ])
  })
})

describe('a button of an answer', () => {
  it('shows nothing to people who may not read the tables behind the answer', async () => {
    const { records, keep } = keepAnswers()
    const queries = [queryReport({ sql: 'SELECT secret', columns: [{ name: 'n', type: 'UInt8' }], rows: [['1']] })]
    await keep(runRecord({ queries }), queries)
    const closed = { records, access: nobody }
    for (const handle of [showSources(closed), showSql({ ...closed, formatSql }), downloadCsv(closed)]) {
      const reply = await handle(chatPress('sql'), signal)
      expect(reply).toEqual({ markdown: expect.stringContaining('may not read') })
      expect(JSON.stringify(reply)).not.toContain('secret')
    }
  })

  it('says so if the answer has expired, or belongs to another platform or workspace', async () => {
    const { records, keep } = keepAnswers()
    const handle = showSql({ records, access: everybody, formatSql })
    const forgotten = { markdown: expect.stringContaining('no longer have this answer') }
    expect(await handle(chatPress('sql'), signal)).toEqual(forgotten)
    await keep(runRecord())
    const { place } = chatPress('sql')
    for (const elsewhere of [{ platform: 'discord' as const }, { workspace: 'T2' }])
      expect(await handle(chatPress('sql', { place: { ...place, ...elsewhere } }), signal)).toEqual(forgotten)
  })

  it('works in its own server on Discord, and for its author in a direct message', async () => {
    const { records, keep } = keepAnswers()
    const handle = showSql({ records, access: everybody, formatSql })
    const place = { ...chatPress('sql').place, platform: 'discord' as const, workspace: '1' }
    await keep(runRecord({ place, isPrivate: true }))
    const direct = { ...place, workspace: 'discord', channel: 'D1', isDirect: true }
    const isShown = async (press: Parameters<typeof chatPress>[1]) =>
      (await handle(chatPress('sql', press), signal))?.markdown.includes('SELECT 1')
    expect(await isShown({ place })).toBe(true)
    expect(await isShown({ place: direct })).toBe(true)
    expect(await isShown({ place: direct, user: 'U2' })).toBe(false)
    expect(await isShown({ place: { ...place, workspace: '2' } })).toBe(false)
  })
})

it('a press is answered in the language of the answer, or else of the person', async () => {
  const { records, keep } = keepAnswers()
  await keep(runRecord({ language: 'de' }))
  const csv = downloadCsv({ records, access: everybody })
  expect(await csv(chatPress('csv'), signal)).toEqual({ markdown: 'Es gibt keine Zeilen zum Herunterladen.' })
  expect(await csv(chatPress('csv', { language: 'en' }), signal)).toEqual({
    markdown: 'Es gibt keine Zeilen zum Herunterladen.',
  })
  const other = { action: 'csv', runId: 'run_2' } as const
  expect(await csv(chatPress('csv', { language: 'de', pressed: other }), signal)).toEqual({
    markdown: 'Diese Antwort habe ich nicht mehr. Nach der gleichen Frage gehen die Knöpfe der neuen Antwort.',
  })
})
