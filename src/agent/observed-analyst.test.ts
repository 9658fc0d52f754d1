import { describe, expect, it } from '@jest/globals'
import { queryReport } from '../../test/support/query-report.ts'
import { runResult } from '../../test/support/run-result.ts'
import { type Subject, subjectAtHand } from '../base/watched-work.ts'
import { StoreError } from '../store/store-error.ts'
import type { Observation } from '../telemetry/observation.ts'
import type { AnalystAnswer } from './analyst.ts'
import { observedAnalyst } from './observed-analyst.ts'
import type { RunResult } from './run/result.ts'

async function observed(ask: () => Promise<Partial<RunResult>>, signal = new AbortController().signal) {
  const seen: (Observation & Subject)[] = []
  let now = 0
  const analyst = observedAnalyst(
    {
      ask: async () => {
        now += 250
        return { result: runResult(await ask()), waiting: [], afterwards: async () => undefined } satisfies AnalystAnswer
      },
    },
    { observe: each => void seen.push({ ...each, ...subjectAtHand() }), person: 'terminal', now: () => now },
  )
  await analyst.ask({ runId: 'run_1', text: 'How many?', askedAt: 0 }, signal).catch(() => undefined)
  return seen
}

const reply = { kind: 'answer', durationMs: 250, sentences: 0, unverifiedSentences: 0 }
const subject = { run: 'run_1', step: 'answer', person: 'terminal' }

describe('observedAnalyst', () => {
  it('reports confidence and sentences of an answer', async () => {
    const citations = { checked: 3, unsupported: ['All of them.'] }
    expect(await observed(async () => ({ confidence: 'LOW', citations, queries: [queryReport({})] }))).toEqual([
      { ...reply, ...subject, outcome: 'answered', confidence: 'LOW', sentences: 3, unverifiedSentences: 1 },
    ])
  })

  it('reports a question back, and an answer whose queries have all failed', async () => {
    const interrupt = { kind: 'need_clarification', question: 'Which?', choices: [] } as const
    expect(await observed(async () => ({ interrupt }))).toEqual([{ ...reply, ...subject, outcome: 'asked_back' }])
    const attempt = { sql: '', message: '', near: [] }
    const failed_attempts = [
      { ...attempt, kind: 'syntax' },
      { ...attempt, kind: 'timeout' },
    ]
    const queries = [queryReport({ error: 'It took too long.', failed_attempts })]
    expect(await observed(async () => ({ queries }))).toEqual([{ ...reply, ...subject, outcome: 'failed', error: 'timeout' }])
  })

  it('reports a question as refused that is not about the data', async () => {
    const refused = { ...reply, ...subject, outcome: 'refused', error: 'out_of_scope' }
    expect(await observed(async () => ({ intent: 'out_of_scope' }))).toEqual([refused])
  })

  it('reports an error by its code, and a run that was stopped', async () => {
    const away = () => Promise.reject(new StoreError('Redis is away', { kind: 'unavailable' }))
    expect(await observed(away)).toEqual([{ ...reply, ...subject, outcome: 'failed', error: 'store_unavailable' }])
    expect(await observed(() => Promise.reject(new Error('stopped')), AbortSignal.abort())).toEqual([
      { ...reply, ...subject, outcome: 'stopped' },
    ])
  })
})
