import { describe, expect, it } from '@jest/globals'
import { queryReport } from '../../../test/support/query-report.ts'
import { isTabled } from './is-tabled.ts'

const table = (rows: number) =>
  ['| Station | Rides |', '|---|---|', ...Array.from({ length: rows }, (_, at) => `| S${at} | ${at} |`)].join('\n')
const rows = (count: number) => Array.from({ length: count }, (_, at) => [`S${at}`, at])
const first = queryReport({ id: 'Q1', rows: rows(3) })
const second = queryReport({ id: 'Q2', rows: rows(3) })

describe('isTabled', () => {
  it.each<[string, string, readonly [boolean, boolean]]>([
    ['the query that it cites', `Three:\n\n${table(3)}\n\n[Q2]`, [false, true]],
    ['each that it cites', `Three:\n\n${table(3)}\n[Q1, Q2]`, [true, true]],
    ['no query where rows are missing in it', `Three:\n\n${table(2)}\n\n[Q2]`, [false, false]],
    ['each its own', `${table(3)}\n\n[Q1]\n\n${table(3)}\n\n[Q2]`, [true, true]],
    ['no query where there is none', 'S0 has 0 [Q1], S1 has 1 [Q2].', [false, false]],
  ])('a table is that of %s', (_, answer, expected) => {
    const queries = [first, second]
    expect(queries.map(query => isTabled(query, { answer, queries }, 10))).toEqual(expected)
  })

  it('needs no more rows than would be drawn', () => {
    const long = queryReport({ rows: rows(40) })
    const isLongTabled = (answer: string) => isTabled(long, { answer, queries: [long] }, 10)
    expect([isLongTabled(table(10)), isLongTabled(table(9))]).toEqual([true, false])
  })
})
