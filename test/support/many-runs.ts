import { CHANGES, LINES, type StoredLine, signLine } from '../../src/console/run-line.ts'
import type { RedisClient } from '../../src/store/redis/client.ts'

const OUTCOMES = ['answered', 'answered', 'answered', 'failed', 'asked_back'] as const
const LEVELS = ['HIGH', 'MEDIUM', 'LOW', null] as const

/** Returns the line of a run by its number. Later numbers are earlier runs. */
export function numberedLine(number: number): StoredLine {
  return {
    id: `run_${number.toString(16).padStart(16, '0')}`,
    at: Date.now() - number * 30_000,
    person: `slack/U${number % 40}`,
    platform: 'slack',
    channel: `C${number % 12}`,
    thread: String(number),
    question: `How many links did metro ${number % 500} have in week ${number % 53}, without those in maintenance?`,
    kind: 'data_analysis',
    outcome: OUTCOMES[number % 5] ?? 'answered',
    error: null,
    confidence: LEVELS[number % 4] ?? null,
    sources: number % 3 === 0 ? ['crm'] : [],
    ...{ ms: 500 + (number % 9_000), queries: 1 + (number % 4), failed_queries: 0, longest_query_ms: 10, model_calls: 4 },
    ...{ tokens_in: 9_000 + number, tokens_out: 700, cost: (number % 100) / 1_000 },
    ...{ run: 'run_0', isOpen: true, rights: null },
  }
}

/** Fills the list of runs, as workers do over days. */
export async function writeManyRuns(redis: RedisClient, count: number): Promise<void> {
  const numbers = Array.from({ length: count }, (_, index) => count - 1 - index)
  for (let from = 0; from < count; from += 1_000) {
    const lines = numbers.slice(from, from + 1_000).map(numberedLine)
    await redis.hset(LINES, ...lines.flatMap(line => [line.id, signLine(redis.stateKey, line)]))
    await redis.zadd(CHANGES, ...lines.flatMap(line => [line.at * 1_000, line.id]))
  }
}
