import type { AcceptedRuns } from '../../queue/accepted-runs.ts'
import type { ShowToAll } from '../../queue/show-to-all.ts'
import { ChatError } from '../chat-error.ts'
import { oneLine } from '../plain-markdown.ts'
import type { Answer, PrivateReply } from '../reply.ts'
import type { RunRecord, RunRecords } from '../run-record.ts'
import type { PressAccess } from './press-access.ts'
import { FORGOTTEN, forAsker } from './press-checks.ts'
import type { PressHandler } from './press-handler.ts'
import { answerActions } from './run-actions.ts'

const POSTED: PrivateReply = { markdown: 'Posted.' }
const UNREACHABLE: PrivateReply = { markdown: 'I cannot post there: I may have been removed from the channel.' }
const NOT_ALLOWED: PrivateReply = {
  markdown: 'This answer rests on data that not everybody there may read, so it stays with you.',
}

/** Shows an answer, which its asker alone was shown, to everybody in the channel. */
export function publishAnswer(deps: {
  readonly runs: Pick<AcceptedRuns, 'find'>
  readonly records: Pick<RunRecords, 'load'>
  readonly access: Pick<PressAccess, 'mayPublish'>
  readonly showToAll: ShowToAll
}): PressHandler {
  return forAsker(deps, 'post this to the channel', async ({ pressed: { runId } }, asked, signal) => {
    const record = await deps.records.load(runId, signal)
    if (record === undefined) return FORGOTTEN
    if (!(await deps.access.mayPublish(record, signal))) return NOT_ALLOWED
    try {
      await deps.showToAll(asked, publicAnswer(record), signal)
      return POSTED
    } catch (error) {
      if (error instanceof ChatError && (error.kind === 'gone' || error.kind === 'forbidden')) return UNREACHABLE
      throw error
    }
  })
}

/** Nobody else has seen the question. */
function publicAnswer(record: RunRecord): Answer {
  const { question, markdown, footer, chart } = record
  return {
    kind: 'answer',
    markdown: `> ${oneLine(question)}\n\n${markdown}`,
    footer,
    ...(chart === undefined ? {} : { chart }),
    actions: answerActions(record),
  }
}
