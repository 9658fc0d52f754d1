import { PassThrough } from 'node:stream'
import { describe, expect, it } from '@jest/globals'
import { queryReport } from '../../../test/support/query-report.ts'
import { runResult } from '../../../test/support/run-result.ts'
import { OpenQuestions } from '../../agent/ask-back/open-questions.ts'
import type { QueryReport, RunResult } from '../../agent/run/result.ts'
import { createMemoryStateStore } from '../../store/memory-state-store.ts'
import { ChatSession } from './chat-session.ts'
import { terminalStyle } from './style.ts'

/** Runs a session with these input lines and query reports. @returns the output of the session */
async function printed(
  lines: readonly string[],
  queries: readonly QueryReport[],
  figures: RunResult['figures'] = [],
): Promise<string> {
  const [input, output] = [new PassThrough(), new PassThrough()]
  const session = new ChatSession({
    analyst: { ask: async () => ({ result: runResult({ queries, figures }), waiting: [], afterwards: async () => {} }) },
    questions: new OpenQuestions({ store: createMemoryStateStore({ now: () => 0 }), now: () => 0 }),
    formatSql: async sql => {
      if (sql.includes('broken')) throw new Error('the engine is away')
      return sql.replaceAll(' FROM', '\nFROM')
    },
    input,
    output: output as unknown as NodeJS.WriteStream,
    view: { style: terminalStyle(false), width: 80, wraps: false },
    language: 'en',
  })
  input.end(`${lines.join('\n')}\n`)
  await session.run(new AbortController().signal)
  return String(output.read())
}

describe('/sql', () => {
  const queries = [
    queryReport({ sql: 'SELECT a FROM b' }),
    queryReport({ id: 'Q2', sql: 'SELECT broken FROM c' }),
    queryReport({ id: 'Q3', sql: null }),
  ]

  it("shows the last answer's SQL formatted, or unchanged if that fails", async () => {
    const text = await printed(['How many?', '/sql'], queries)
    expect(text).toContain('\nSELECT a\nFROM b\n')
    expect(text).toContain('\nSELECT broken FROM c\n')
    expect(text).toContain('No SQL was written.')
  })

  it('shows the SQL of one query', async () => {
    const text = await printed(['How many?', '/sql [q2]'], queries)
    expect(text).toContain('SELECT broken')
    expect(text).not.toContain('SELECT a')
  })

  it('knows a command and a query however they are written', async () => {
    const text = await printed(['How many?', '/SQL 2', '/Table q9'], queries)
    expect(text).toContain('SELECT broken')
    expect(text).not.toContain('SELECT a')
    expect(text).toContain('There is no q9')
  })

  it.each(['/quit', '/quit now', 'exit', 'Quit'])('is not shown after %s', async leave => {
    expect(await printed(['How many?', leave, '/sql'], queries)).not.toContain('SELECT')
  })

  it('lists the available queries', async () => {
    expect(await printed(['How many?', '/table Q9'], queries)).toContain('There is no Q9: the last answer has Q1, Q2, Q3.')
  })

  it('shows nothing before the first answer', async () => {
    expect(await printed(['/sql'], queries)).toContain('No query to show.')
  })
})

describe('/table', () => {
  const n = { columns: [{ name: 'n', type: 'UInt8' }], rows: [[1]] }
  const queries = [queryReport(n), queryReport({ ...n, id: 'Q2', rows: [] }), queryReport({ ...n, id: 'Q3' })]

  it('names the query of each of several tables', async () => {
    const text = await printed(['How many?', '/table'], queries)
    expect(text).toMatch(/\nQ1\n┌.*\n\nQ2 returned no rows\.\n\nQ3\n┌/s)
    expect(await printed(['How many?', '/table Q3'], queries)).not.toContain('Q3')
  })
})

describe('/sources', () => {
  const cell = { query: 'Q1', row: 3, name: 'fra-dz01', column: 'rtt_ms', value: 4.2371 }
  const figures = [
    { text: '4.2 ms', query: 'Q1', value: 4.2371, formula: null, cells: [cell] },
    { text: '38 %', query: 'Q2', value: 37.5, formula: '100 × devices of fra ÷ devices of all 12', cells: [] },
  ]
  const queries = [queryReport({}), queryReport({ id: 'Q2' })]

  it('tells where each figure of the last answer comes from', async () => {
    expect(await printed(['How many?', '/sources'], queries, figures)).toContain(
      '\n4.2 ms: Q1, row 3 (fra-dz01), rtt_ms\n38 %: Q2, 100 × devices of fra ÷ devices of all 12\n',
    )
  })

  it('tells it of the figures of one query', async () => {
    const text = await printed(['How many?', '/sources Q2'], queries, figures)
    expect(text).toContain('38 %: Q2')
    expect(text).not.toContain('fra-dz01')
  })

  it('says so if no source is known, if there is no such query, and how many it does not show', async () => {
    expect(await printed(['How many?', '/sources'], queries)).toContain('No source of a figure is known for this answer.')
    expect(await printed(['How many?', '/sources Q9'], queries, figures)).toContain('There is no Q9: the last answer has Q1, Q2.')
    const many = Array.from({ length: 45 }, (_, at) => ({ ...figures[0], text: `${at} ms`, cells: [cell] }))
    const text = await printed(['How many?', '/sources'], queries, many as RunResult['figures'])
    expect(text).toContain('39 ms: Q1')
    expect(text).not.toContain('40 ms: Q1')
    expect(text).toContain('The sources of 5 more figures are not shown.')
  })
})
