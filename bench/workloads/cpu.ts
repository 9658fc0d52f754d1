import { startContenders } from '../asking.ts'
import { asked } from '../model/asked.ts'
import { type Row, row } from '../row.ts'
import { spread } from '../statistics.ts'
import { startStubWarehouse } from '../stub-warehouse.ts'
import type { BenchParts } from '../workload.ts'

const QUESTIONS = 20
const QUICK_QUESTIONS = 10
/** The number of questions before the measurement. After them, no program gets faster. The number is a judgment. */
const WARM_UP = 100
const QUICK_WARM_UP = 20

/**
 * Measures each program's processor time per question. Model and warehouse are separate processes, so their time does not count.
 */
export async function measureCpu(parts: BenchParts): Promise<readonly Row[]> {
  await parts.model.reset(parts.preset ?? 'zero')
  const stub = await startStubWarehouse(parts.world)
  const contenders = await startContenders(
    { ...parts, world: stub },
    Array.from({ length: parts.isQuick ? QUICK_WARM_UP : WARM_UP }, () => 'complex' as const),
  )
  const perQuestion = new Map<string, number[]>(contenders.map(({ name }) => [name, []]))
  const questions = parts.isQuick ? QUICK_QUESTIONS : QUESTIONS
  try {
    for (let round = 0; round < parts.rounds; round += 1) {
      for (const contender of contenders) {
        const before = await contender.usage()
        for (let index = 0; index < questions; index += 1) {
          await contender.ask(asked('complex', parts.nextNumber()).scenario.question)
        }
        const after = await contender.usage()
        perQuestion.get(contender.name)?.push((after.cpu_ms - before.cpu_ms) / questions)
      }
    }
  } finally {
    await Promise.all(contenders.map(each => each.stop()))
    await stub.close()
  }
  const of = (name: string) => perQuestion.get(name) ?? []
  const ratio = (peer: string) => spread(of('clew').map((own, round) => own / (of(peer)[round] ?? Number.NaN)))
  const workload = 'complex question (4 queries), model and warehouse at no latency'
  return [
    row('cpu_complex', `CPU: ${workload}`, spread(of('clew')), 'ms', { most: 12 }),
    ...(parts.peers.includes('openai-agents')
      ? [row('cpu_complex_openai_agents', `CPU ÷ openai-agents: ${workload}`, ratio('openai-agents'), '×', { most: 0.5 })]
      : []),
    ...(parts.peers.includes('langgraph')
      ? [row('cpu_complex_langgraph', `CPU ÷ LangGraph: ${workload}`, ratio('langgraph'), '×', { most: 1 })]
      : []),
    ...parts.peers.map(name =>
      row(`cpu_complex_${name.replaceAll('-', '_')}_own`, `CPU, ${name}: ${workload}`, spread(of(name)), 'ms'),
    ),
  ]
}
