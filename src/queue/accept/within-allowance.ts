import type { PressHandler } from '../../chat/press-handler.ts'
import { retryAction } from '../../chat/run-actions.ts'
import { chatWords } from '../../words/chat.ts'
import type { AnswerMessage } from '../drain/settle-message.ts'
import type { Allowance } from './allowance.ts'

/** Wraps `answer` with a check of the allowance. If the allowance is used up, the author is told when to ask again. */
export function answerWithinAllowance(allowance: Pick<Allowance, 'take'>, answer: AnswerMessage): AnswerMessage {
  return async (accepted, context, signal) => {
    const { runId, message } = accepted
    const waitMs = await allowance.take('question', runId, { place: message.place, user: message.author }, signal)
    if (waitMs === undefined) return answer(accepted, context, signal)
    const { language = 'en' } = message
    const sentence = chatWords(language).tooManyQuestions(minutesOf(waitMs))
    return { kind: 'error', code: 'too_many_questions', sentence, actions: [retryAction(runId, language)] }
  }
}

/** Wraps `handle` with a check of the person's allowance. A press on Stop always works, and is not counted. */
export function pressWithinAllowance(allowance: Pick<Allowance, 'take'>, handle: PressHandler): PressHandler {
  return async (press, signal) => {
    if (press.pressed.action === 'stop') return handle(press, signal)
    const waitMs = await allowance.take('press', press.pressId, press, signal)
    if (waitMs === undefined) return handle(press, signal)
    return { markdown: chatWords(press.language ?? 'en').tooManyPresses(minutesOf(waitMs)) }
  }
}

function minutesOf(waitMs: number): number {
  return Math.ceil(waitMs / 60_000)
}
