import { describe, expect, it } from '@jest/globals'
import { queryReport } from '../../test/support/query-report.ts'
import type { QueryReport } from '../agent/run/result.ts'
import { CitationChecker } from './citation-checker.ts'

const SAMPLES = queryReport({
  sql: 'SELECT … FROM samples GROUP BY basin HAVING count() >= 20',
  columns: [
    { name: 'basin', type: 'String' },
    { name: 'parameter', type: 'String' },
    { name: 'wait_s', type: 'UInt32' },
    { name: 'checked_on', type: 'Date' },
    { name: 'five_pct', type: 'Float64' },
    { name: 'avg_power_kw', type: 'Float64' },
    { name: 'max_power_kw', type: 'Float64' },
    { name: 'active', type: 'UInt32' },
    { name: 'cancelled', type: 'UInt32' },
  ],
  rows: [
    ['Diving pool', 'free_cl', 300, '2026-06-11', 12.5, 2.5, 3.9, 8, 3],
    ['Lap pool', 'free_cl', 300, '2026-07-02', 10.5, 2.1, 3.2, 5, 6],
    ['Wave pool', 'ph', 180, '2026-08-05', 21, 1.7, 2.8, 4, 7],
    ['Spa', 'ph', 120, '2026-09-20', 30, 1.2, 1.9, 2, 9],
  ],
})
const MONTHS = queryReport({
  columns: [
    { name: 'month', type: 'Date' },
    { name: 'visits', type: 'UInt32' },
    { name: 'run_s', type: 'UInt32' },
  ],
  rows: [
    ['2026-05-01', 610, 198_840],
    ['2026-06-01', 880, 72_000],
    ['2026-07-01', 740, 90_000],
  ],
})
const ORDERS = queryReport({
  columns: [
    { name: 'month', type: 'Date' },
    { name: 'orders', type: 'UInt32' },
  ],
  rows: [40, 80, 120, 60, 400, 230].map((orders, index) => [`2026-0${index + 1}-01`, orders]),
})

function kindOf(text: string, query: QueryReport): string {
  const checker = new CitationChecker([query], { question: 'How are things?', askedAt: '2026-11-20T13:00:00Z' })
  return text.split('\n').reduce((_, unit) => checker.check(unit).kind, 'uncited')
}

describe('a sentence about rows', () => {
  it.each([
    // The value of a condition, in another unit and as a month.
    ['{count(C > 240): word} pools waited above 4 min [Q1].', '{count(C > 240): word} pools waited above 3 min [Q1].'],
    [
      "{count(D >= '2026-07-01'): word} pools were checked in July or later [Q1].",
      "{count(D >= '2026-07-01'): word} pools were checked in March or later [Q1].",
    ],
    ['At most 240 s waited {count(C <= 240): word} pools [Q1].', 'At most 240 s waited {count(C > 240): word} pools [Q1].'],
    // The highest value of several rows is that of none alone.
    [
      'Two {=count(C = 300)} pools share the longest wait, 300 s {=max(C)} each [Q1].',
      'Two {=count(C = 300)} pools share the shortest wait, 300 s {=max(C)} each [Q1].',
    ],
    // A value that abbreviates words.
    [
      "The pH failed in 2 {=count(B = 'ph')} and free chlorine in 2 {=count(B = 'free_cl')} [Q1].",
      "The pH failed in 2 {=count(B = 'free_cl')} [Q1].",
    ],
    // Parentheses belong to the figure before them.
    [
      'The power ranges from 1.2 kW {=min(F)} (Spa, pH) to 2.5 kW {=max(F)} (Diving pool, free_cl) on average [Q1].',
      'The average power of the Spa, 2.5 kW {=max(F)}, is the highest [Q1].',
    ],
    // Numbers of the SQL and of columns.
    ['Each pool is listed from 20 samples on [Q1].', 'Each pool is listed from 25 samples on [Q1].'],
    ['In the Spa 30 % {=E4} gave it a 5 [Q1].', 'In the Spa 30 % {=E4} gave it a 4 [Q1].'],
    ['These are the 3 largest of the pools [Q1].', 'These are the 13 largest of the pools [Q1].'],
    // Functions and states.
    ['The Spa takes 1.2 kW {=F4} on average [Q1].', 'The Spa takes 1.2 kW {=F4} at the median [Q1].'],
    ['No pool takes more than 3.9 kW {=max(G)} [Q1].', 'No pool takes more than 2.5 kW {=max(F)} [Q1].'],
    ['In the Spa 2 {=H4} are active [Q1].', 'In the Spa 2 {=H4} were cancelled [Q1].'],
    [
      'The share is {E4-E3} percentage points higher in the Spa than in the Wave pool [Q1].',
      'The share is {E4-E3} % higher in the Spa than in the Wave pool [Q1].',
    ],
    ['{table Q1: Pool=A, Average power (kW)=F}', '{table Q1: Pool=A, Average power (kW)=G}'],
    // The rows that a table shows.
    [
      '{table Q1 1-3: Pool=A, Wait (s)=C}\nThe table shows 3 of the {count()} pools [Q1].',
      '{table Q1 1-3: Pool=A, Wait (s)=C}\nThe table shows 13 of the {count()} pools [Q1].',
    ],
  ])('is read as it is meant: %s', (right, wrong) => {
    expect(kindOf(right, SAMPLES)).not.toBe('unsupported')
    expect(kindOf(wrong, SAMPLES)).toBe('unsupported')
  })

  it.each([
    ['May had 610 {=B1} and June had 880 {=B2} visits [Q1].', 'May had 880 {=B2} and June had 610 {=B1} visits [Q1].'],
    ['Machines ran 55 h 14 min {=C1} in all, those of June 20 h {=C2} [Q1].', 'Those of May 20 h {=C2} [Q1].'],
    [
      'Es waren im Juni mehr.\nSie stiegen von 610 {=B1} auf 880 {=B2} im Juni [Q1].',
      'Sie stiegen von 740 {=B3} auf 880 {=B2} im Juni [Q1].',
    ],
    ['15 August is missing from the data [Q1].', 'On 15 August there were most visits [Q1].'],
    [
      'June had 880 {=B2} visits [Q1].\nMachines ran 20 h {=C2} in it [Q1].',
      'June had 880 {=B2} visits [Q1].\nMachines ran 25 h {=C3} in it [Q1].',
    ],
    [
      'Visits rose from 610 {=B1} in May to 880 {=B2} a month later [Q1].',
      'Visits rose from 610 {=B1} in May to 740 {=B3} [Q1].',
    ],
  ])('tells its months: %s', (right, wrong) => {
    expect(kindOf(right, MONTHS)).not.toBe('unsupported')
    expect(kindOf(wrong, MONTHS)).toBe('unsupported')
  })

  it.each([
    ['doubled from 40 {=B1} in January to 80 {=B2} in February', 'nearly doubled from 40 {=B1} in January to 400 {=B5} in May'],
    ['tripled from 40 {=B1} in January to 120 {=B3} in March', 'trebled from 40 {=B1} in January to 80 {=B2} in February'],
    ['nearly doubled from 120 {=B3} to 230 {=B6}', 'nearly doubled, to 40 {=B1} in January'],
    ['halved from 120 {=B3} in March to 60 {=B4} in April', 'halved from 40 {=B1} in January to 80 {=B2} in February'],
    [
      'doubled from 40 {=B1} in January to 80 {=B2} in February, and reached 120 {=B3} in March',
      'tripled from 40 {=B1} in January to 80 {=B2} in February, and reached 120 {=B3} in March',
    ],
    ['had a fivefold rise from 80 {=B2} in February to 400 {=B5} in May', 'plunged from 40 {=B1} to 80 {=B2}'],
    [
      'zeigen Wachstum: Sie verdreifachten sich von 40 {=B1} im Januar auf 120 {=B3} im März',
      'zeigen Wachstum: Sie verdreifachten sich von 40 {=B1} im Januar auf 80 {=B2} im Februar',
    ],
  ])('tells by how much it changed: %s', (right, wrong) => {
    expect(kindOf(`Orders ${right} [Q1].`, ORDERS)).not.toBe('unsupported')
    expect(kindOf(`Orders ${wrong} [Q1].`, ORDERS)).toBe('unsupported')
  })
})
