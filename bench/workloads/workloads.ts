import type { Row } from '../row.ts'
import type { BenchParts } from '../workload.ts'
import { measureAnswers } from './answers.ts'
import { measureArrivals } from './arrivals.ts'
import { measureChat } from './chat.ts'
import { measureChecks } from './checks.ts'
import { measureCpu } from './cpu.ts'
import { measureCrowd } from './crowd.ts'
import { measureFairness } from './fairness.ts'
import { measureHistory } from './history.ts'
import { measureLimits } from './limits.ts'
import { measureLoop } from './loop.ts'
import { measureQueued } from './queued.ts'
import { measureLargeCatalog } from './retrieval.ts'

interface Workload {
  readonly title: string
  /** Whether `--quick` includes this measurement. */
  readonly isQuick: boolean
  readonly measure: (parts: BenchParts) => Promise<readonly Row[]>
}

/** All measurements, in the order in which they run. */
export const WORKLOADS = {
  answers: { title: 'one question at a time, Clew and its peers in turn', isQuick: true, measure: measureAnswers },
  chat: { title: 'what a person sees in a chat', isQuick: false, measure: measureChat },
  cpu: { title: "the processor's time for a question", isQuick: true, measure: measureCpu },
  limits: { title: 'the limits of a complete answer', isQuick: true, measure: measureLimits },
  crowd: { title: 'fifty threads at once', isQuick: false, measure: measureCrowd },
  fairness: { title: 'one person beside a flood of another', isQuick: false, measure: measureFairness },
  history: { title: 'a conversation of very many turns', isQuick: false, measure: measureHistory },
  checks: { title: 'what a query goes through before it runs', isQuick: true, measure: measureChecks },
  arrivals: { title: 'messages that arrive at an even pace', isQuick: true, measure: measureArrivals },
  loop: { title: 'how long one work keeps all others waiting', isQuick: false, measure: measureLoop },
  retrieval: { title: 'a catalog of very many tables', isQuick: true, measure: measureLargeCatalog },
  queued: { title: 'a full queue', isQuick: false, measure: measureQueued },
} as const satisfies Readonly<Record<string, Workload>>
