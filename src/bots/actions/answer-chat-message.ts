import type { Answer, Reply } from '../../chat/reply.ts'
import type { AcceptedMessage } from '../../queue/accept/accepted-message.ts'
import type { ReplyContext } from '../../queue/drain/settle-message.ts'
import { chatWords } from '../../words/chat.ts'
import { answerActions, chooseActions, publishAction } from './answer-actions.ts'
import { askForMessage, type MessageAskerDeps, refusalReply } from './ask-for-message.ts'
import { ChatProgress } from './chat-progress.ts'
import type { PressAccess } from './press-access.ts'
import { type RunRecord, type RunRecords, recordOf } from './run-record.ts'
import type { ShowClosed } from './show-closed.ts'

export interface ChatAnswererDeps extends MessageAskerDeps {
  readonly records: Pick<RunRecords, 'save'>
  readonly access: Pick<PressAccess, 'mayPublish'>
  readonly showClosed: ShowClosed
  /** Unix time in milliseconds. */
  readonly now: () => number
}

/**
 * Answers a message from a chat through the analyst, and shows the progress. Stores a record for the answer's buttons before the
 * answer is shown.
 */
export async function answerChatMessage(
  deps: ChatAnswererDeps,
  accepted: AcceptedMessage,
  context: ReplyContext,
  signal: AbortSignal,
): Promise<Reply> {
  const { message, runId, access: decision } = accepted
  const { language = 'en' } = message
  if (decision?.kind === 'refused') return refusalReply(decision, message)
  // A message that only mentions Clew gets a greeting. This needs no model.
  if (message.text.trim() === '') return { kind: 'answer', markdown: chatWords(language).hello }
  const progress = new ChatProgress(language)
  const result = await askForMessage(
    deps,
    accepted,
    context,
    {
      observe: event => {
        if (progress.observe(event)) context.progress(() => progress.progress())
      },
      onClosed: ({ question, choice }) => {
        const shown = deps.showClosed(question, choice, signal)
        // `afterReply` reports a failure later. Without this handler, Node would first report it as unhandled.
        shown.catch(() => undefined)
        context.afterReply(() => shown)
      },
    },
    signal,
  )
  const record = recordOf(accepted, result, deps.now())
  await deps.records.save(record, result.queries, signal)
  if (result.interrupt !== null) return { ...answerOf(record, false), result, actions: chooseActions(runId, result.interrupt) }
  const isPublishable = record.isPrivate && !record.place.isDirect && (await deps.access.mayPublish(record, signal))
  return { ...answerOf(record, isPublishable), result }
}

function answerOf(record: RunRecord, isPublishable: boolean): Answer {
  const { markdown, footer, chart, language } = record
  const actions = [...answerActions(record), ...(isPublishable ? [publishAction(record)] : [])]
  return {
    kind: 'answer',
    markdown,
    ...(footer === '' ? {} : { footer }),
    ...(chart === undefined ? {} : { chart }),
    ...(actions.length === 0 ? {} : { actions }),
    ...(language === 'en' ? {} : { language }),
  }
}
