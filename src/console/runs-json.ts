import type { FeedbackStore } from '../bots/actions/feedback.ts'
import { type RunLogEntry, readRunLog } from '../history/run-log-entry.ts'
import type { StateStore } from '../store/state-store.ts'
import type { Viewer } from './app.ts'
import { readContent } from './kept-content.ts'
import type { rerun } from './rerun.ts'
import type { selectRuns } from './run-filter.ts'
import { type ShownRun, shownLine } from './shown-runs.ts'

/** A run as the list shows it. What the viewer may not see is null, and `hidden` is then true. */
export type RunLine = ReturnType<typeof shownLine>
/** A page of the list. */
export type RunsJson = ReturnType<typeof selectRuns>
export type RunJson = Awaited<ReturnType<typeof runJson>>
/** A step of a run. Its `id` is unique in the run. */
export type RunStepJson = RunJson['steps'][number]
/** What `clew ask --json` prints, without what only the program needs. `chart` says whether `GET …/chart` has a picture. */
export type ShownResult = NonNullable<RunJson['result']>
export type RerunJson = Awaited<ReturnType<typeof rerun>>

/** Describes a run with its steps. */
export async function runJson(
  { line, maySee, result }: ShownRun,
  viewer: Viewer,
  { store, feedback }: { readonly store: StateStore; readonly feedback: FeedbackStore },
  signal: AbortSignal,
) {
  const [log, contentOf, given] = await Promise.all([
    readRunLog(line.run, store, signal),
    maySee ? readContent(line.id, store, signal) : undefined,
    feedback.find({ runId: line.id, ...nameParts(viewer) }, signal),
  ])
  return {
    line: shownLine(line, viewer),
    steps: log.map((entry, index) => ({ id: `${index}`, ...stepJson(entry, maySee), content: contentOf?.(entry) ?? null })),
    /** Null before the end, without an answer, if it has expired, and if it is hidden. */
    result: result === undefined ? null : { ...result, chart: result.chart !== null },
    hidden: !maySee,
    /** The viewer's own verdict. */
    feedback: given === undefined ? null : { helpful: given.verdict === 'helpful', reason: given.reason ?? null },
    /** Whether the viewer may run its SQL, ask it again and say whether it helped. */
    may: { rerun: result !== undefined },
  }
}

/** Describes a step. Times are ISO 8601 and milliseconds. */
function stepJson(entry: RunLogEntry, maySee: boolean) {
  const { step, query = null, attempt, started_at, duration_ms: ms, error, cancelled = null, usage } = entry
  return {
    ...{ step, query, attempt, started_at, ms },
    error: error === null || maySee ? error : (/^[a-z_]+(?=: )/.exec(error)?.[0] ?? 'failed'),
    /** Why a step that had started ahead of time was not needed. */
    cancelled,
    ...{ model: usage?.model ?? null, tokens_in: usage?.tokens_in ?? null, tokens_out: usage?.tokens_out ?? null },
    ...{ tokens_cached: usage?.tokens_cached ?? null, cost: usage?.cost ?? null, requests: usage?.requests ?? [] },
  }
}

/** Returns a viewer's name as feedback has it. */
export function nameParts({ person, caller }: Viewer) {
  const [platform = '', user = ''] = person.split('/').map(decodeURIComponent)
  return { platform, user, workspace: caller.token.workspace ?? platform }
}
