import type { CostEstimate } from '../clickhouse/cost/cost-estimator.ts'
import { type ConfirmationRequest, type CostChoice, costChoiceSchema } from './confirmation.ts'
import type { RunContext } from './run-context.ts'

const CHOICES: ConfirmationRequest['choices'] = [
  { value: 'run', label: 'Run it' },
  { value: 'narrow', label: 'Ask for less' },
  { value: 'stop', label: 'Stop' },
]

/**
 * What to do with a query over the budget: what the person says, once in the life of a run, also of one that is resumed; where nobody can be asked,
 * it is narrowed.
 */
export async function confirmCost(
  context: RunContext,
  options: {
    readonly id: string
    readonly attempt: number
    readonly estimate: CostEstimate
    /** "would read …; allowed are …" */
    readonly excess: string
  },
  signal: AbortSignal,
): Promise<CostChoice> {
  const { confirm, log, observe } = context
  if (confirm === undefined) return 'narrow'
  const { id, attempt, estimate, excess } = options
  const key = { step: 'confirm', query: id, attempt }
  return log.step(key, { excess }, costChoiceSchema, signal, async () => {
    observe({ kind: 'step_started', ...key })
    const request = {
      kind: 'need_confirm' as const,
      query: id,
      question: `${id} ${excess}. Run it, ask for less, or stop?`,
      choices: CHOICES,
      estimate,
    }
    return untilEnded(confirm(request, signal), signal)
  })
}

/** A surface that does not hear the signal cannot hold up the run. */
async function untilEnded<T>(asked: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted()
  let onAbort = () => {}
  const ended = new Promise<never>((_, reject) => {
    onAbort = () => reject(signal.reason)
    signal.addEventListener('abort', onAbort, { once: true })
  })
  return Promise.race([asked, ended]).finally(() => signal.removeEventListener('abort', onAbort))
}
