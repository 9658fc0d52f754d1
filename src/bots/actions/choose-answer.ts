import type { OpenQuestions } from '../../agent/ask-back/open-questions.ts'
import type { ChatMessage } from '../../chat/event.ts'
import type { PressHandler } from '../../chat/press-handler.ts'
import type { AcceptedRuns } from '../../queue/accept/accepted-runs.ts'
import type { MessageReceiver } from '../../queue/accept/message-receiver.ts'
import { choiceMessageId } from '../../queue/accept/question-deletion.ts'
import { threadName } from '../../queue/thread-keys.ts'
import { oneLine } from '../shared/plain-markdown.ts'
import { forAsker, forgotten } from './press-checks.ts'

/**
 * Handles a press on a choice. It has the same effect as writing the choice. Each question of Clew is answered only once, by a
 * button or in words.
 */
export function chooseAnswer(deps: {
  readonly runs: Pick<AcceptedRuns, 'find'>
  readonly questions: Pick<OpenQuestions, 'find' | 'close'>
  readonly receiver: Pick<MessageReceiver, 'receive'>
}): PressHandler {
  return forAsker(deps, 'answer', async ({ press, asked: { message }, words }, signal) => {
    const { runId, choice = 0 } = press.pressed
    // An asker outside the channel gets Clew's question in a separate conversation, which continues the channel's thread. So both
    // threads are searched for the question.
    const own = threadName(message.place)
    const channel = message.continues === undefined ? own : threadName(message.continues)
    const asked = await deps.questions.find(channel, runId, signal)
    const thread = asked === undefined ? own : channel
    const question = asked ?? (await deps.questions.find(own, runId, signal))
    const chosen = question?.choices[choice]
    if (question === undefined || chosen === undefined) return forgotten(words)
    const closing = await deps.questions.close(thread, runId, { by: press.pressId, choice }, signal)
    if (closing.by !== press.pressId) {
      const { label } = question.choices[closing.choice ?? -1] ?? {}
      return { markdown: label === undefined ? words.wentOn : words.answeredAlready(oneLine(label)) }
    }
    await deps.receiver.receive({
      ...message,
      messageId: choiceMessageId(runId),
      order: press.order,
      text: chosen.label,
      addressed: true,
      resumes: { ...press.pressed, choice },
      ...(message.isPrivate === true ? { interaction: press.interaction } : {}),
    } satisfies ChatMessage)
    return undefined
  })
}
