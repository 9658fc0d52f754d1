import { describe, expect, it } from '@jest/globals'
import { queryReport } from '../../../test/support/query-report.ts'
import { CitationChecker } from '../citation-checker.ts'

const WEEKS = queryReport({
  sql: "SELECT toStartOfWeek(at, 1) AS week, count() AS uploads FROM u WHERE at >= '2025-12-17' AND at <= '2026-01-15' GROUP BY week ORDER BY week",
  columns: [
    { name: 'week', type: 'Date' },
    { name: 'uploads', type: 'UInt64' },
  ],
  rows: [
    ['2025-12-15', '120'],
    ['2025-12-22', '150'],
    ['2025-12-29', '90'],
    ['2026-01-05', '30'],
    ['2026-01-12', '10'],
  ],
})

describe('a figure of a period', () => {
  it.each([
    ['From 15 to 28 December 2025 there were 270 uploads {= uploads[1] + uploads[2]} [Q1].', 'supported'],
    ['From 15 to 28 December 2025 there were 400 uploads {= sum(uploads)} [Q1].', 'unsupported'],
    ['From 17 December 2025 to 15 January 2026 there were 400 uploads {= sum(uploads)} [Q1].', 'supported'],
    ['From 17 December to 15 January there were 400 uploads {= sum(uploads)} [Q1].', 'supported'],
  ])('is not derived from rows outside it: %s', (unit, kind) => {
    const checker = new CitationChecker([WEEKS], { question: 'How many uploads?', timeZone: 'Europe/Berlin' })
    expect(checker.check(unit).kind).toBe(kind)
  })
})
