import { z } from 'zod'
import type { LineageGraph } from '../../pipelines/lineage/lineage-graph.ts'
import type { LineageRun } from '../../pipelines/lineage/lineage-source.ts'
import { askPerson } from '../ask-person.ts'
import { shortRemark } from '../short-remark.ts'
import type { LineageContext } from './lineage-context.ts'
import type { ToolErrorKind } from './tool-result.ts'

/** Whether a job was repeated, in words for the model. */
export type ReplayDecision =
  | { readonly kind: 'repeated'; readonly run: LineageRun; readonly message: string }
  | { readonly kind: 'not_repeated'; readonly error: ToolErrorKind; readonly message: string }

const CHOICES = [
  { value: 'replay', label: 'Replay' },
  { value: 'answer', label: 'Answer without' },
] as const

const outcomeSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('completed'), runId: z.string() }),
  z.object({ kind: z.literal('failed'), reason: z.string() }),
  z.object({ kind: z.literal('timeout'), limitMs: z.number() }),
])

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
  const outcome = await log.step(key, { run: graph.run.id }, outcomeSchema, signal, async trace => {
    observe({ kind: 'step_started', ...key })
    const onProgress = (line: string) => observe({ kind: 'replay_progressed', line })
    const ended = await deps.replayer.replay(graph.run.id, reason, onProgress, signal)
    if (ended.kind === 'completed') return { kind: ended.kind, runId: ended.run.id }
    trace.failure(ended.kind)
    return ended
  })
  if (outcome.kind === 'timeout') {
    const minutes = Math.round(outcome.limitMs / 60_000)
    return {
      kind: 'not_repeated',
      error: 'replay_timeout',
      message: `The replay was stopped after ${minutes} minutes. Answer from what is live.`,
    }
  }
  if (outcome.kind === 'failed') {
    return {
      kind: 'not_repeated',
      error: 'replay_failed',
      message: `The replay failed: ${outcome.reason} Answer from what is live.`,
    }
  }
  const found = await deps.source.findRun(outcome.runId, signal)
  if (!('run' in found)) return { kind: 'not_repeated', error: 'replay_failed', message: 'The replay is not there any more.' }
  return {
    kind: 'repeated',
    run: found.run,
    message: 'The job was repeated with every table kept. From now on these are the tables:',
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
  const megabytes = written.reduce((sum, operation) => sum + operation.bytes, 0) / 1e6
  return `The last run${took} wrote ${rows.toLocaleString('en')} rows (${megabytes.toFixed(megabytes < 10 ? 1 : 0)} MB); production tables are not touched.`
}
