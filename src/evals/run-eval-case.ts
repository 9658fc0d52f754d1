import type { Analyst } from '../agent/analyst.ts'
import { RunError } from '../agent/run/error.ts'
import { newRunId } from '../agent/run/id.ts'
import type { QueryReport, RunResult } from '../agent/run/result.ts'
import { ClewError, errorMessage } from '../base/errors.ts'
import { newConversation, withTurn } from '../history/conversation.ts'
import type { ConversationStore } from '../history/conversation-store.ts'
import { ModelError } from '../llm/error.ts'
import { WarehouseError } from '../warehouse/error.ts'
import type { Warehouse } from '../warehouse/warehouse.ts'
import type { EvalCase } from './case.ts'
import { GOLD_FAILED, isFirstTry, judgeRun, type RunOutcome, type Verdict } from './judge-run.ts'
import { EVAL_LIMITS } from './limits.ts'
import type { TranscribedCall, TranscribingLanguageModel } from './transcribing-language-model.ts'
import { type EvalSubject, type EvalTranscript, fingerprintOf, type GoldResult } from './transcript.ts'
import { unseenNames } from './unseen-names.ts'

/**
 * The services that answer one case. Each case has its own analyst, so that the model calls of each case are recorded separately.
 */
export interface EvalParts {
  readonly analyst: Pick<Analyst, 'ask'>
  readonly conversations: ConversationStore
  readonly warehouse: Pick<Warehouse, 'read'>
  readonly model: TranscribingLanguageModel
  readonly subject: EvalSubject
}

/** The results of the gold queries. The error is kept as a value, because it comes before the run has ended. */
interface GoldOutcome {
  readonly results: readonly GoldResult[]
  readonly error?: Error
}

/**
 * Asks one case and judges the answer. The gold queries start as soon as a query of the run finishes, so that both see nearly the
 * same time and data.
 * @throws ModelError if the model is unreachable or refuses access, because then the case cannot be judged
 * @throws WarehouseError if the warehouse cannot be used for the gold queries
 */
export async function runEvalCase(evalCase: EvalCase, parts: EvalParts, signal: AbortSignal): Promise<EvalTranscript> {
  const thread = `evals/${newRunId()}`
  await rememberHistory(evalCase, thread, parts.conversations, signal)
  const golds: Promise<GoldOutcome>[] = []
  const started = performance.now()
  const outcome = await ask(evalCase, thread, parts, () => golds.push(runGold(evalCase, parts.warehouse, signal)), signal)
  const latency = Math.round(performance.now() - started)
  if (golds.length === 0) golds.push(runGold(evalCase, parts.warehouse, signal))
  const outcomes = await Promise.all(golds)
  const failed = outcomes.flatMap(({ error }) => error ?? [])[0]
  if (failed !== undefined && isWarehouseAway(failed)) throw failed
  const gold = outcomes.flatMap(({ results }) => results)
  const verdict = failed === undefined ? judgeRun(evalCase, outcome, gold) : goldFailed(failed)
  const result = outcome.kind === 'answered' ? outcome.result : null
  return {
    fingerprint: fingerprintOf(evalCase, parts.subject),
    case: evalCase,
    report: reportOf(evalCase, verdict, result, { latency, calls: parts.model.calls }),
    gold: gold[0] ?? null,
    result,
    calls: parts.model.calls,
  }
}

async function ask(
  { question }: EvalCase,
  thread: string,
  { analyst }: EvalParts,
  onQuery: () => void,
  signal: AbortSignal,
): Promise<RunOutcome> {
  try {
    const { result } = await analyst.ask(
      {
        runId: newRunId(),
        thread,
        text: question,
        askedAt: Date.now(),
        observe: event => {
          if (event.kind === 'query_finished') onQuery()
        },
      },
      signal,
    )
    return { kind: 'answered', result }
  } catch (error) {
    if (signal.aborted || !(error instanceof ClewError) || isModelAway(error)) throw error
    const isTimeout = RunError.isTimeout(error) || isModelTimeout(error)
    return { kind: 'failed', error: error.message, isTimeout }
  }
}

function isModelAway(error: ClewError): boolean {
  return error instanceof ModelError && ['unavailable', 'rate_limited', 'no_quota', 'authentication'].includes(error.kind)
}

function isModelTimeout(error: ClewError): boolean {
  return error instanceof ModelError && error.kind === 'timeout'
}

async function rememberHistory(
  { history }: EvalCase,
  thread: string,
  conversations: ConversationStore,
  signal: AbortSignal,
): Promise<void> {
  if (history.length === 0) return
  let conversation = newConversation(`session_${thread}`)
  for (const [index, { role, content }] of history.entries()) {
    if (role !== 'user') continue
    const next = history[index + 1]
    const turn = {
      run_id: newRunId(),
      asked_at: new Date().toISOString(),
      question: content,
      standalone_question: content,
      intent: 'data_analysis',
      answer: next?.role === 'assistant' ? next.content : '',
      queries: [],
    }
    conversation = withTurn(conversation, turn, [], null)
  }
  await conversations.change(thread, () => conversation, signal)
}

async function runGold(
  { gold_sql: queries = [], database }: EvalCase,
  warehouse: Pick<Warehouse, 'read'>,
  signal: AbortSignal,
): Promise<GoldOutcome> {
  const results: GoldResult[] = []
  try {
    for (const sql of queries) {
      const { columns, rows } = await warehouse.read(
        { sql, maxRows: EVAL_LIMITS.goldRows, ...(database && { database }) },
        signal,
      )
      results.push({ sql, columns, rows })
    }
    return { results }
  } catch (error) {
    return { results, error: error instanceof Error ? error : new Error(errorMessage(error)) }
  }
}

/** Whether no gold query can run. A query that fails for its own reason is only about its case. */
function isWarehouseAway(error: Error): boolean {
  return !(error instanceof WarehouseError) || ['unavailable', 'authentication', 'cancelled'].includes(error.kind)
}

function goldFailed({ message }: Error): Verdict {
  return { reason: GOLD_FAILED, detail: `a query of gold_sql failed: ${message}`, query: null }
}

/** Returns the names that the model has invented. If no query worked, the program has written the answer, not the model. */
function inventedNames(result: RunResult | null, calls: readonly TranscribedCall[]): readonly string[] {
  if (result === null) return []
  const { answer, queries, note } = result
  if (queries.length > 0 && queries.every(({ error }) => error !== null)) return []
  // The program writes the note at the end of the answer.
  return unseenNames(answer, `${shownIn(calls, queries)}\n${note}`)
}

/** Joins everything that the model has read into one text: all messages, and all rows of the results. */
function shownIn(calls: readonly TranscribedCall[], queries: readonly QueryReport[]): string {
  const read = calls.flatMap(call => call.messages.map(({ content }) => content))
  return [...read, ...queries.map(({ columns, rows }) => JSON.stringify([columns, rows]))].join('\n')
}

function reportOf(
  evalCase: EvalCase,
  verdict: Verdict,
  result: RunResult | null,
  { latency, calls }: { readonly latency: number; readonly calls: readonly TranscribedCall[] },
): EvalTranscript['report'] {
  const { id, question, tags } = evalCase
  const queries = result?.queries ?? []
  const correct = verdict.reason === null
  const steps = result?.steps ?? []
  const tokens = (of: 'tokens_in' | 'tokens_out') => steps.reduce((sum, step) => sum + (step[of] ?? 0), 0)
  return {
    id,
    question,
    tags,
    correct,
    reason: verdict.reason,
    detail: verdict.detail,
    first_try: correct && isFirstTry(queries),
    error_free: result !== null && queries.every(query => query.error === null),
    retries: queries.reduce((sum, query) => sum + Math.max(0, query.attempts - 1), 0),
    unsupported: result?.citations?.unsupported.length ?? 0,
    unseen_names: inventedNames(result, calls),
    latency_ms: latency,
    tokens_in: tokens('tokens_in'),
    tokens_out: tokens('tokens_out'),
  }
}
