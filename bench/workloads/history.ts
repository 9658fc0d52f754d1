import { type Contender, placesOf, startContender } from '../contender.ts'
import { asked } from '../model/asked.ts'
import { type Row, row } from '../row.ts'
import { median, spread } from '../statistics.ts'
import type { BenchParts } from '../workload.ts'

const SHORT = 10
const LONG = 10_000
const QUICK_LONG = 300
const QUESTIONS = 20

/**
 * Compares the cost of a question in a long and in a short conversation. The same questions are asked in both, on a model without latency.
 */
export async function measureHistory(parts: BenchParts): Promise<readonly Row[]> {
  await parts.model.reset('zero')
  const turns = parts.isQuick ? QUICK_LONG : LONG
  const clew = await startContender('clew', placesOf(parts.model, parts.world))
  try {
    await talk(parts, clew, 'long', turns)
    await talk(parts, clew, 'short', SHORT)
    const taken = { long: [] as number[], short: [] as number[] }
    for (let index = 0; index < QUESTIONS; index += 1) {
      for (const thread of ['long', 'short'] as const) {
        const before = await clew.usage()
        await clew.ask(asked('simple', parts.nextNumber()).scenario.question, thread)
        const after = await clew.usage()
        taken[thread].push(after.cpu_ms - before.cpu_ms)
      }
    }
    const ratio = median(taken.long) / median(taken.short)
    const workload = `simple question after ${turns} turns and after ${SHORT}, model at no latency`
    return [
      row('history_cost', `CPU ÷ CPU: ${workload}`, ratio, '×', { most: 1.2 }),
      row('history_cpu_long', `CPU after ${turns} turns: simple question`, spread(taken.long), 'ms'),
    ]
  } finally {
    await clew.stop()
  }
}

async function talk(parts: BenchParts, clew: Contender, thread: string, turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) await clew.ask(asked('talk', parts.nextNumber()).scenario.question, thread)
}
