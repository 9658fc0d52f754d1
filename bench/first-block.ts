import { z } from 'zod'
import { startProgram } from './child-process.ts'
import { asked } from './model/asked.ts'
import type { ScenarioId } from './model/scenarios.ts'
import type { BenchParts } from './workload.ts'

const toldSchema = z.object({ ms: z.number() })

/**
 * Starts a process and asks it a first question, with a model without latency. Returns the longest time for which the event loop was blocked.
 */
export function firstQuestionBlock(parts: BenchParts, scenario: ScenarioId): Promise<number> {
  return blockOf(asked(scenario, parts.nextNumber()).scenario.question, parts)
}

/** Starts a process and renders a first long answer in it. Returns the longest time for which the event loop was blocked. */
export function firstAnswerBlock(parts: BenchParts, platform: 'slack' | 'discord'): Promise<number> {
  return blockOf(`--${platform}`, parts)
}

async function blockOf(what: string, { model, world }: BenchParts): Promise<number> {
  const env = { BENCH_MODEL_URL: model.baseUrl, BENCH_WAREHOUSE_URL: world.url, BENCH_DATABASE: 'network' }
  const program = startProgram('bench/main-first-block.ts', [what], { env })
  try {
    return (await program.next(line => toldSchema.safeParse(line).data)).ms
  } finally {
    await program.stop()
  }
}
