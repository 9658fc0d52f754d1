import { setTimeout as wait } from 'node:timers/promises'
import { warmUp } from '../asking.ts'
import { type Contender, type Places, placesOf, startContender } from '../contender.ts'
import { asked } from '../model/asked.ts'
import type { ScenarioId } from '../model/scenarios.ts'
import { type Row, row } from '../row.ts'
import { median, quantile } from '../statistics.ts'
import { startStubWarehouse } from '../stub-warehouse.ts'
import type { BenchParts } from '../workload.ts'

const THREADS = 50
const ALONE = 5
/** With the model `mini`, most questions are at their queries or answers after this time. */
const HALF_WAY_MS = 2500

/** Compares fifty threads that ask at the same time with a single one. One process answers all of them. The warehouse has no latency. */
export async function measureCrowd(parts: BenchParts): Promise<readonly Row[]> {
  await parts.model.reset(parts.preset ?? 'mini')
  const stub = await startStubWarehouse(parts.world)
  try {
    return await measureOn(parts, placesOf(parts.model, stub))
  } finally {
    await stub.close()
  }
}

async function measureOn(parts: BenchParts, places: Places): Promise<readonly Row[]> {
  const rows: Row[] = []
  const clew = await startContender('clew', places)
  try {
    await warmUp(parts, clew, ['simple', 'complex'])
    await askAll(parts, clew, 'complex', THREADS)
    for (const scenario of parts.isQuick ? (['simple'] as const) : (['simple', 'complex'] as const)) {
      const alone: number[] = []
      for (let turn = 0; turn < ALONE; turn += 1) alone.push(...(await askAll(parts, clew, scenario, 1)))
      await clew.usage()
      const together = await askAll(parts, clew, scenario, THREADS)
      const { longest_block_ms: block = 0 } = await clew.usage()
      const workload = `${THREADS} threads at once, ${scenario} question, mini, warehouse at no latency`
      const share = (100 * together.length) / THREADS
      rows.push(
        row(`crowd_${scenario}_answered`, `answered: ${workload}`, share, '%', { least: 100 }),
        row(`crowd_${scenario}`, `complete, p99 ÷ one user's p50: ${workload}`, quantile(together, 0.99) / median(alone), '×', {
          most: 1.05,
        }),
        row(`crowd_${scenario}_loop`, `longest block: ${workload}`, block, 'ms', { most: 50 }),
      )
    }
  } finally {
    await clew.stop()
  }
  return [...rows, await measureMemory(parts, places)]
}

/**
 * Measures how much more memory is used with all questions in progress than at rest. Both are measured after garbage collection.
 */
async function measureMemory(parts: BenchParts, places: Places): Promise<Row> {
  const clew = await startContender('clew', places, { collectsAtWill: true })
  try {
    await warmUp(parts, clew, ['complex'])
    await askAll(parts, clew, 'complex', THREADS)
    const atRest = await clew.usage()
    const answering = askAll(parts, clew, 'complex', THREADS)
    await wait(HALF_WAY_MS)
    const underWay = await clew.usage()
    await answering
    const each = (underWay.heap_mb - atRest.heap_mb) / THREADS
    return row(
      'memory_in_flight',
      `memory for each question under way: ${THREADS} threads, complex question, mini, warehouse at no latency`,
      each,
      'MB',
      {
        most: 2,
      },
    )
  } finally {
    await clew.stop()
  }
}

/** Asks all questions at the same time. Returns the answer times of those that were answered. */
async function askAll(parts: BenchParts, clew: Contender, scenario: ScenarioId, count: number): Promise<readonly number[]> {
  const questions = Array.from({ length: count }, () => asked(scenario, parts.nextNumber()).scenario.question)
  const outcomes = await Promise.allSettled(questions.map(question => clew.ask(question)))
  const failed = outcomes.filter(outcome => outcome.status === 'rejected')
  if (failed[0] !== undefined)
    parts.tell(`${failed.length} of ${count} not answered, e.g. ${String(failed[0].reason).slice(0, 300)}`)
  return outcomes.flatMap(outcome => (outcome.status === 'fulfilled' ? [outcome.value.complete] : []))
}
