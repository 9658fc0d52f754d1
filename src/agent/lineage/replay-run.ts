import { isLimited } from '../../access/table-grant.ts'
import type { LineageGraph } from '../../pipelines/lineage/graph.ts'
import type { LineageSource, LoggedRun } from '../../pipelines/lineage/source.ts'
import type { Observe } from '../../telemetry/observation.ts'
import type { Language } from '../../words/language.ts'
import { type LineageWords, lineageWords } from '../../words/lineage.ts'
import { askPerson } from '../ask-back/ask-person.ts'
import { shortRemark } from '../notes/short-remark.ts'
import type { PersonContext } from '../run/context.ts'
import type { LineageRequest } from './context.ts'
import { type Replayer, type ReplayOutcome, replayOutcomeSchema } from './replayer.ts'
import type { ToolErrorKind } from './tool-result.ts'

interface ReplayContext extends PersonContext {
  readonly source: LineageSource
  readonly replayer: Replayer
  readonly request: LineageRequest
  /** See `Question.messageRunId` in `agent/analyst.ts`. */
  readonly messageRunId?: string
  readonly telemetry?: Observe | undefined
  /** Unix time in milliseconds. */
  readonly now: () => number
}

/** The decision about a replay: the new run, or why there is none, with a message for the model. */
export type ReplayDecision =
  | { readonly kind: 'repeated'; readonly run: LoggedRun; readonly message: string }
  | { readonly kind: 'not_repeated'; readonly error: ToolErrorKind; readonly message: string }

/**
 * Replays a run, after the person has seen the reason and the cost and has agreed. With `--deep`, the replay starts at once. A
 * resumed investigation does not replay the run again.
 * @throws InterruptError if the person will answer later
 */
export async function replayRun(
  context: ReplayContext,
  graph: LineageGraph,
  reason: string,
  signal: AbortSignal,
): Promise<ReplayDecision> {
  const { source, replayer, request, log, observe, telemetry, now } = context
  const obstacle = replayObstacle(graph, lineageWords('en'))
  if (obstacle !== undefined) {
    return { kind: 'not_repeated', error: 'replay_failed', message: `${obstacle} Answer from what is live.` }
  }
  if (!request.isDeep && (await confirm(context, graph, reason, signal)) !== 'replay') {
    return {
      kind: 'not_repeated',
      error: 'replay_failed',
      message: 'The person wants an answer without a replay: give it from what is live.',
    }
  }
  const key = { step: 'replay', attempt: 1 }
  const outcome = await log.step(key, { run: graph.run.id }, replayOutcomeSchema, signal, async trace => {
    observe({ kind: 'step_started', ...key })
    const stoppedWith = [...new Set([log.runId, context.messageRunId ?? log.runId])]
    const replay = { runId: graph.run.id, reason, askedBy: log.runId, stoppedWith }
    const startedAt = now()
    const tell = (outcome: string) => telemetry?.({ kind: 'replay', job: replay.runId, outcome, durationMs: now() - startedAt })
    const replaying = replayer.replay(replay, line => observe({ kind: 'replay_progressed', line }), signal)
    const ended = await replaying.catch((error: unknown) => {
      tell(signal.aborted ? 'cancelled' : 'fault')
      throw error
    })
    tell(ended.kind)
    if (ended.kind !== 'completed') trace.failure(ended.kind)
    return ended
  })
  if (outcome.kind !== 'completed') return notRepeated(outcome, isLimited(request.grants))
  const found = await source.findRun(outcome.runId, signal)
  if (!('run' in found)) return { kind: 'not_repeated', error: 'replay_failed', message: 'The replay is not there any more.' }
  return {
    kind: 'repeated',
    run: found.run,
    message: 'The job was repeated with every table kept. From now on these are the tables:',
  }
}

/** Returns why the asker cannot have the run replayed. Undefined if the asker can. */
export function replayObstacle({ run }: LineageGraph, words: LineageWords): string | undefined {
  if (!run.isRepeatable) return words.notRepeatable(run.id)
  return run.readsOnlySeen ? undefined : words.notRepeatableForYou(run.job)
}

/**
 * @param isLimited set if the asker may not see everything; then the error is left out, because it may quote rows that are hidden
 * behind a view
 */
function notRepeated(outcome: Exclude<ReplayOutcome, { kind: 'completed' }>, isLimited: boolean): ReplayDecision {
  const kind = 'not_repeated'
  switch (outcome.kind) {
    case 'timeout': {
      const minutes = Math.round(outcome.limitMs / 60_000)
      const message = `The replay was stopped after ${minutes} minutes. Answer from what is live.`
      return { kind, error: 'replay_timeout', message }
    }
    case 'failed': {
      const reason = isLimited ? '' : `: ${outcome.reason.replace(/(?<![.\s])[.\s]+$/, '')}`
      return { kind, error: 'replay_failed', message: `The replay failed${reason}. Answer from what is live.` }
    }
    case 'busy': {
      const message = `The replay was not started: ${outcome.others} others run or wait already. Answer from what is live, and say that the person may ask for it again in some minutes.`
      return { kind, error: 'replay_failed', message }
    }
  }
}

async function confirm(context: ReplayContext, graph: LineageGraph, reason: string, signal: AbortSignal): Promise<string> {
  // If nobody can be asked, the model answers without a replay. With `--deep`, nobody needs to be asked.
  if (context.askPerson === undefined) return 'answer'
  const { language } = context.request
  const words = lineageWords(language)
  const told = shortRemark(reason).replace(/(?<![.!?…])$/, '.')
  const question = `${words.mayReplay(graph.run.job, told)} ${costSentence(graph, language)}`
  const choices = [
    { value: 'replay', label: words.replay },
    { value: 'answer', label: words.answerWithout },
  ]
  const key = { step: 'confirm_replay', attempt: 1 }
  return askPerson(context, key, { run: graph.run.id, reason }, { kind: 'need_confirm', question, choices }, signal)
}

function costSentence({ run, nodes }: LineageGraph, language: Language): string {
  const { startedAt, finishedAt } = run
  const seconds =
    startedAt === undefined || finishedAt === undefined
      ? undefined
      : Math.max(1, Math.round((finishedAt.getTime() - startedAt.getTime()) / 1_000))
  const written = nodes.flatMap(({ operation }) => (operation?.isMade === true ? [operation] : []))
  const rows = written.reduce((sum, operation) => sum + (operation.rows ?? 0), 0)
  const bytes = written.reduce((sum, operation) => sum + operation.bytes, 0)
  return lineageWords(language).replayCost(seconds, rows, sizeText(bytes, language))
}

function sizeText(bytes: number, language: Language): string {
  const [size, unit] = bytes < 1e5 ? [bytes / 1e3, 'kB'] : [bytes / 1e6, 'MB']
  const digits = size < 10 ? 1 : 0
  return `${size.toLocaleString(language, { minimumFractionDigits: digits, maximumFractionDigits: digits, useGrouping: false })} ${unit}`
}
