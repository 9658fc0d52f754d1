import { expect, test } from '@jest/globals'
import { criticalPath } from './critical-path.ts'
import type { LoggedRequest } from './model/request-log.ts'

/**
 * The first token takes a tenth of a second, and then there are ten per second. So an answer of n tokens takes n tenths of a second.
 */
const PACE = { firstTokenMs: 100, perUncachedTokenMs: 0, tokensPerSecond: 10 }

function request(step: string, tokens: number, changes: Partial<LoggedRequest> = {}): LoggedRequest {
  const sent = { promptTokens: 1000, cachedTokens: 0, completionTokens: tokens, sentTokens: tokens }
  const times = { startedAt: 0, firstTokenAt: 0, endedAt: 0 }
  return { id: 0, step, peer: 'clew', scenario: 'complex', n: 1, part: null, marks: {}, ...sent, ...times, ...changes }
}

const plan = { 'element 1': 10, 'element 2': 20 }
const words = request('synthesize', 50, { marks: { sentence: 12 } })

test('sequential steps add up; data questions begin while the plan is written', () => {
  const path = criticalPath(
    [
      request('classify', 10, { endedAt: 1000 }),
      request('decompose', 30, { marks: plan, startedAt: 1000 }),
      request('generate', 15, { part: 1, marks: { sql: 9 }, startedAt: 2000 }),
      request('generate', 40, { part: 2, marks: { sql: 30 }, startedAt: 3000 }),
      words,
    ],
    PACE,
  )
  expect(path).toEqual({ plan: 2000, firstSql: 2900, firstWords: 7200, complete: 11_000, firstElementAlone: 1000 })
})

test('work begun ahead does not wait for the classification, but counts only after it', () => {
  const path = criticalPath(
    [
      request('classify', 15, { endedAt: 1500 }),
      request('decompose', 30, { marks: plan, startedAt: 0 }),
      request('generate', 15, { part: 0, sentTokens: 4 }),
      request('generate', 15, { part: 1, marks: { sql: 9 }, startedAt: 1500 }),
      request('generate', 15, { part: 2, marks: { sql: 9 }, startedAt: 2000 }),
      words,
    ],
    PACE,
  )
  expect(path).toMatchObject({ plan: 1500, firstSql: 2400, complete: 3000 + 5000 })
})

test('the answer is written while the last SQL is explained, and shown after that', () => {
  const path = criticalPath(
    [
      request('classify', 5, { endedAt: 500 }),
      request('decompose', 12, { marks: { 'element 1': 8 }, startedAt: 0 }),
      request('generate', 60, { part: 1, marks: { sql: 9 }, startedAt: 800 }),
      words,
    ],
    PACE,
  )
  expect(path).toMatchObject({ firstSql: 1700, firstWords: 6800, complete: 6800 })
})

test('SQL for the original message begins with the question', () => {
  const path = criticalPath(
    [
      request('classify', 5, { endedAt: 500 }),
      request('decompose', 12, { marks: { 'element 1': 8 }, startedAt: 0 }),
      request('generate', 15, { part: 0, marks: { sql: 3 }, startedAt: 0 }),
      words,
    ],
    PACE,
  )
  expect(path).toMatchObject({ firstSql: 500, complete: 1200 + 5000 })
})
