import { ClewError } from '../base/errors.ts'
import { asRun, type Subject } from '../base/watched-work.ts'
import type { ObservationOf, Observe } from '../telemetry/observation.ts'
import type { Analyst } from './analyst.ts'
import type { RunResult } from './run/result.ts'

type AnswerReport = Omit<ObservationOf<'answer'>, 'kind' | 'durationMs'>

/** The report of a message that got no result. */
export function withoutResult(outcome: AnswerReport['outcome'], error?: string): AnswerReport {
  return { outcome, sentences: 0, unverifiedSentences: 0, ...(error && { error }) }
}

/** Tells how a result answers its question. If each of its queries has failed, the answer only says why. */
export function reportOf({ intent, interrupt, queries, confidence, citations }: RunResult): AnswerReport {
  if (interrupt !== null) return withoutResult('asked_back')
  if (intent === 'out_of_scope') return withoutResult('refused', intent)
  const isFailure = queries.length > 0 && queries.every(({ error }) => error !== null)
  if (isFailure) return withoutResult('failed', queries[0]?.failed_attempts.at(-1)?.kind ?? 'query')
  const { checked = 0, unsupported = [] } = citations ?? {}
  const figures = { sentences: checked, unverifiedSentences: unsupported.length }
  return { outcome: 'answered', ...figures, ...(confidence && { confidence }) }
}

/** Wraps an analyst that answers without a queue, so that each answer is observed, as work for the person. */
export function observedAnalyst(
  analyst: Pick<Analyst, 'ask'>,
  { observe, now, ...subject }: Pick<Subject, 'person' | 'place'> & { readonly observe?: Observe; readonly now: () => number },
): Pick<Analyst, 'ask'> {
  if (observe === undefined) return analyst
  return {
    ask: (question, signal) =>
      asRun({ id: question.runId, ...subject }, async () => {
        const startedAt = now()
        const tell = (report: AnswerReport) => observe({ kind: 'answer', ...report, durationMs: now() - startedAt })
        try {
          const answer = await analyst.ask(question, signal)
          tell(reportOf(answer.result))
          // Later work is the person's too.
          return { ...answer, afterwards: own => asRun({ id: question.runId, ...subject }, () => answer.afterwards(own)) }
        } catch (error) {
          tell(signal.aborted ? withoutResult('stopped') : withoutResult('failed', codeOf(error)))
          throw error
        }
      }),
  }
}

function codeOf(error: unknown): string {
  return error instanceof ClewError ? error.code : 'fault'
}
