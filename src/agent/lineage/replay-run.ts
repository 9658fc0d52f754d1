import type { LineageGraph } from '../../pipelines/lineage/lineage-graph.ts'
import type { LineageRun } from '../../pipelines/lineage/lineage-source.ts'
import { askPerson } from '../ask-person.ts'
import { shortRemark } from '../short-remark.ts'
import type { LineageContext } from './lineage-context.ts'
import { type ReplayOutcome, replayOutcomeSchema } from './replayer.ts'
import type { ToolErrorKind } from './tool-result.ts'

/** Whether a job was repeated, in words for the model. */
export type ReplayDecision =
  | { readonly kind: 'repeated'; readonly run: LineageRun; readonly message: string }
  | { readonly kind: 'not_repeated'; readonly error: ToolErrorKind; readonly message: string }

const CHOICES = [
  { value: 'replay', label: 'Replay' },
  { value: 'answer', label: 'Answer without' },
] as const

/**
 * Repeats a run, once the person has seen why and what it costs; with `--deep`, at once. Not done again in a resumed investigation.
 * @throws InterruptError where the person says it later
 */
export async function replayRun(
  context: LineageContext,
  graph: LineageGraph,
  reason: string,
  signal: AbortSignal,
): Promise<ReplayDecision> {
  const { deps, request, log, observe } = context
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
    const ended = await deps.replayer.replay(replay, line => observe({ kind: 'replay_progressed', line }), signal)
    if (ended.kind !== 'completed') trace.failure(ended.kind)
    return ended
  })
  if (outcome.kind !== 'completed') return notRepeated(outcome)
  const found = await deps.source.findRun(outcome.runId, signal)
  if (!('run' in found)) return { kind: 'not_repeated', error: 'replay_failed', message: 'The replay is not there any more.' }
  return {
    kind: 'repeated',
    run: found.run,
    message: 'The job was repeated with every table kept. From now on these are the tables:',
  }
}

function notRepeated(outcome: Exclude<ReplayOutcome, { kind: 'completed' }>): ReplayDecision {
  const kind = 'not_repeated'
  switch (outcome.kind) {
    case 'timeout': {
      const minutes = Math.round(outcome.limitMs / 60_000)
      const message = `The replay was stopped after ${minutes} minutes. Answer from what is live.`
      return { kind, error: 'replay_timeout', message }
    }
    case 'failed': {
      const reason = outcome.reason.replace(/[.\s]+$/, '')
      return { kind, error: 'replay_failed', message: `The replay failed: ${reason}. Answer from what is live.` }
    }
    case 'busy': {
      const message = `The replay was not begun: ${outcome.others} others run or wait already. Answer from what is live, and say that the person may ask for it again in some minutes.`
      return { kind, error: 'replay_failed', message }
    }
  }
}

async function confirm(context: LineageContext, graph: LineageGraph, reason: string, signal: AbortSignal): Promise<string> {
  // Nobody can be asked, and nobody said --deep.
  if (context.askPerson === undefined) return 'answer'
  const question = `To be sure I would have to run ${graph.run.job} again with all tables kept (${shortRemark(reason).replace(/\.$/, '')}). ${costSentence(graph)}`
  const key = { step: 'confirm_replay', attempt: 1 }
  return askPerson(context, key, { run: graph.run.id, reason }, { kind: 'need_confirm', question, choices: CHOICES }, signal)
}

function costSentence({ run, nodes }: LineageGraph): string {
  const { startedAt, finishedAt } = run
  const took =
    startedAt === undefined || finishedAt === undefined
      ? ''
      : ` took ${Math.max(1, Math.round((finishedAt.getTime() - startedAt.getTime()) / 1_000))} s and`
  const written = nodes.flatMap(({ operation }) => (operation === undefined || operation.sql === '' ? [] : [operation]))
  const rows = written.reduce((sum, operation) => sum + operation.rows, 0)
  const bytes = written.reduce((sum, operation) => sum + operation.bytes, 0)
  return `The last run${took} wrote ${rows.toLocaleString('en')} rows (${sizeText(bytes)}); production tables are not touched.`
}

function sizeText(bytes: number): string {
  const megabytes = bytes / 1e6
  return megabytes < 0.1 ? `${(bytes / 1e3).toFixed(bytes < 1e4 ? 1 : 0)} kB` : `${megabytes.toFixed(megabytes < 10 ? 1 : 0)} MB`
}
