import { warmUp } from '../asking.ts'
import { type Answered, placesOf, startContender } from '../contender.ts'
import { asked } from '../model/asked.ts'
import { type Row, row } from '../row.ts'
import { quantile } from '../statistics.ts'
import type { BenchParts } from '../workload.ts'

const QUESTIONS = 120
const QUICK_QUESTIONS = 40
const USERS = 4
/** With numbers from here on, the model's first SQL is wrong for one question in ten. */
const FIRST_NUMBER = 8000
/** The limit of the time for a cached schema, in milliseconds (requirement C2). */
const CACHED_MS = 50
const KINDS = ['simple', 'complex', 'verified'] as const

/**
 * Four people ask one question after another, a third of each kind. The model is fast, and first makes a mistake in one of ten (requirement C8).
 */
export async function measureLimits(parts: BenchParts): Promise<readonly Row[]> {
  await parts.model.reset(parts.preset ?? 'fast')
  const clew = await startContender('clew', placesOf(parts.model, parts.world))
  const count = parts.isQuick ? QUICK_QUESTIONS : QUESTIONS
  const answered: Answered[] = []
  let next = 0
  const askOn = async () => {
    while (next < count) {
      const index = next
      next += 1
      const kind = KINDS[index % KINDS.length] ?? 'simple'
      const answer = await clew.ask(asked(kind, FIRST_NUMBER + index).scenario.question).catch(() => undefined)
      if (answer !== undefined) answered.push(answer)
    }
  }
  try {
    await warmUp(parts, clew, KINDS)
    await Promise.all(Array.from({ length: USERS }, askOn))
  } finally {
    await clew.stop()
  }
  const workload = `${USERS} users, fast, ${count} questions`
  const complete = answered.map(answer => answer.complete)
  const share = (holds: (answer: Answered) => boolean) => (100 * answered.filter(holds).length) / count
  return [
    row('limits_p50', `complete answer, P50: ${workload}`, quantile(complete, 0.5), 'ms', { most: 4000 }),
    row('limits_p95', `complete answer, P95: ${workload}`, quantile(complete, 0.95), 'ms', { most: 8000 }),
    row('limits_p99', `complete answer, P99: ${workload}`, quantile(complete, 0.99), 'ms', { most: 12_000 }),
    row(
      'limits_success',
      `answered: ${workload}`,
      share(() => true),
      '%',
      { least: 95 },
    ),
    row(
      'limits_first_try',
      `every query right at first: ${workload}`,
      share(({ firstTry }) => firstTry === true),
      '%',
      { least: 80 },
    ),
    row(
      'limits_schema_cached',
      `schema at hand: ${workload}`,
      share(({ schemaMs }) => (schemaMs ?? 0) <= CACHED_MS),
      '%',
      { least: 90 },
    ),
  ]
}
