import type { AcceptedRuns } from '../../queue/accept/accepted-runs.ts'
import type { ReplaceAnswer } from '../../queue/deliver/replace-answer.ts'
import { oneLine } from '../shared/plain-markdown.ts'
import type { RunRecords } from './run-record.ts'

/**
 * Removes the buttons below a question that Clew asked, once the question is closed. If a person's choice closed it, also shows
 * that choice.
 */
export type ShowClosed = (runId: string, choice: string | undefined, signal: AbortSignal) => Promise<void>

export function createShowClosed(deps: {
  readonly runs: Pick<AcceptedRuns, 'find'>
  readonly records: Pick<RunRecords, 'load'>
  readonly replaceAnswer: ReplaceAnswer
}): ShowClosed {
  return async (runId, choice, signal) => {
    const [asked, record] = await Promise.all([deps.runs.find(runId, signal), deps.records.load(runId, signal)])
    // A private question is not edited. The edit would look for it in the public thread and not find it.
    if (asked === undefined || record === undefined || record.isPrivate) return
    const said = choice === undefined ? '' : `\n\n✓ **${oneLine(choice)}**`
    await deps.replaceAnswer(asked, { kind: 'answer', markdown: `${record.markdown}${said}` }, signal)
  }
}
