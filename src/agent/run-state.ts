import { z } from 'zod'
import { checkpointSchema, readCheckpoints, readRunLog, runLogEntrySchema } from '../history/run-log-entry.ts'
import type { StateStore } from '../store/state-store.ts'
import { OpenQuestions, openQuestionSchema } from './ask-back/open-questions.ts'
import { lineageRequestSchema } from './lineage/analyst.ts'
import { runRequestSchema } from './run/request.ts'
import { RunRequests } from './run/requests.ts'

/**
 * The state of a run, as one object. Its parts are stored apart, because each is written at another time. A run that has ended
 * keeps only its log.
 */
export const runStateSchema = z.object({
  version: z.literal(1),
  run_id: z.string(),
  /** The input of a run about data. Null for an investigation, and if the run can no longer be resumed. */
  request: runRequestSchema.nullable().default(null),
  /** The input of an investigation. Null for a run about data, and if the run can no longer be resumed. */
  investigation: lineageRequestSchema.nullable().default(null),
  /** The steps that have ended, without their values. */
  log: z.array(runLogEntrySchema),
  /** The values of finished steps. A resumed run takes them instead of running the steps again. */
  checkpoints: z.array(checkpointSchema),
  /** The question for whose answer the run waits. Null if it waits for none. */
  question: openQuestionSchema.nullable().default(null),
})
export type RunState = z.infer<typeof runStateSchema>

/**
 * Reads all that is stored of a run. Undefined for an unknown run.
 * @throws StoreError
 */
export async function readRunState(runId: string, store: StateStore, signal: AbortSignal): Promise<RunState | undefined> {
  const [request, investigation, log, checkpoints, question] = await Promise.all([
    new RunRequests({ store, kind: 'request', schema: runRequestSchema }).read(runId, signal),
    new RunRequests({ store, kind: 'lineage', schema: lineageRequestSchema }).read(runId, signal),
    readRunLog(runId, store, signal),
    readCheckpoints(runId, store, signal),
    new OpenQuestions({ store, now: Date.now }).ofRun(runId, signal),
  ])
  if (log.length === 0 && request === undefined && investigation === undefined) return undefined
  return runStateSchema.parse({ version: 1, run_id: runId, request, investigation, log, checkpoints, question })
}
