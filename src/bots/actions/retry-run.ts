import type { ChatMessage } from '../../chat/event.ts'
import type { PressHandler } from '../../chat/press-handler.ts'
import type { AcceptedMessage } from '../../queue/accept/accepted-message.ts'
import type { AcceptedRuns } from '../../queue/accept/accepted-runs.ts'
import type { MessageReceiver } from '../../queue/accept/message-receiver.ts'
import { retryMessageId } from '../../queue/accept/question-deletion.ts'
import { forAsker } from './press-checks.ts'
import type { RunRecords } from './run-record.ts'

/** Handles a press on "Try again": asks the question of a failed run as a new message, once per run. */
export function retryRun(deps: {
  readonly runs: Pick<AcceptedRuns, 'find' | 'idOf'>
  readonly records: Pick<RunRecords, 'load'>
  readonly receiver: Pick<MessageReceiver, 'receive'>
}): PressHandler {
  /** Returns the original question. The run's own message may be only a choice, such as "Run it". */
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
      // If the failed message was a choice, the retry sends the choice again. Only the run that asked knows what the choice
      // means.
      resumes: message.resumes?.action === 'choose' ? message.resumes : { action: 'retry', runId },
      // The interaction tokens of the first attempt expire soon. The press brought new ones, so the retry uses these.
      ...(message.isPrivate === true ? { interaction: press.interaction } : {}),
    } satisfies ChatMessage
    const accepted = () => deps.runs.find(deps.runs.idOf(again), signal)
    const isOwn = async () => (await accepted())?.message.pressId === press.pressId
    // The same press may come twice: a crash may have stopped its first attempt before the message was accepted. So the message
    // is received again. Only one copy is ever accepted.
    if ((await accepted()) === undefined || (await isOwn())) await deps.receiver.receive(again)
    // The asker may have pressed twice. Only one press is accepted, and the other one gets this reply.
    return (await isOwn()) ? undefined : { markdown: words.triedAgain }
  })
}
