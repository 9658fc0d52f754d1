import type { AcceptedMessage } from '../../queue/accepted-message.ts'
import type { AcceptedRuns } from '../../queue/accepted-runs.ts'
import type { Intake } from '../../queue/intake.ts'
import { retryMessageId } from '../../queue/question-deletion.ts'
import type { ChatMessage } from '../chat-event.ts'
import type { RunRecords } from '../run-record.ts'
import { forAsker } from './press-checks.ts'
import type { PressHandler } from './press-handler.ts'

/** Asks the question of a failed run again, as if it had been written anew; each run once. */
export function retryRun(deps: {
  readonly runs: Pick<AcceptedRuns, 'find' | 'idOf'>
  readonly records: Pick<RunRecords, 'load'>
  readonly intake: Pick<Intake, 'take'>
}): PressHandler {
  /** What the run was about: "Run it", which began it, may have been the answer to a question of Clew's. */
  async function questionOf({ runId, message }: AcceptedMessage, signal: AbortSignal): Promise<string> {
    const record = await deps.records.load(runId, signal)
    if (record !== undefined) return record.question
    const chosen = message.resumes?.action === 'choose' ? message.resumes : undefined
    const before = chosen && (await deps.runs.find(chosen.runId, signal))
    return before?.message.text ?? message.text
  }

  return forAsker(deps, 'retry', async ({ press, asked, words }, signal) => {
    const { runId } = press.pressed
    const { message } = asked
    const again = {
      ...message,
      text: await questionOf(asked, signal),
      messageId: retryMessageId(runId),
      order: press.order,
      pressId: press.pressId,
      addressed: true,
      // A choice stays one: what it goes on with is in the run that asked.
      resumes: message.resumes?.action === 'choose' ? message.resumes : { action: 'retry', runId },
      // What the platform handed over for the first try has expired or soon will.
      ...(message.isPrivate === true ? { interaction: press.interaction } : {}),
    } satisfies ChatMessage
    const accepted = () => deps.runs.find(deps.runs.idOf(again), signal)
    const isOwn = async () => (await accepted())?.message.pressId === press.pressId
    // A press that is handled again may have been noted and no more; what was taken already is not taken twice.
    if ((await accepted()) === undefined || (await isOwn())) await deps.intake.take(again)
    // Of two presses at once, one was accepted.
    return (await isOwn()) ? undefined : { markdown: words.triedAgain }
  })
}
