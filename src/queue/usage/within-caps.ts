import type { Analyst } from '../../agent/analyst.ts'
import { subjectAtHand } from '../../base/watched-work.ts'
import type { PressHandler } from '../../chat/press-handler.ts'
import { cancelledModelError } from '../../llm/error.ts'
import type { LanguageModel } from '../../llm/language-model.ts'
import { chatWords } from '../../words/chat.ts'
import { askerName } from '../asker.ts'
import { USAGE_LIMITS } from '../limits.ts'
import type { Caps } from './caps.ts'
import { minutesLeft } from './sentences.ts'

/**
 * Wraps an analyst. It answers the person at hand within the caps, and tells below an answer that a cap is nearly used up. A
 * question counts even if it fails.
 * @param caps undefined if nothing counts, because there is no Redis
 */
export function analystWithinCaps(caps: Caps | undefined, analyst: Pick<Analyst, 'ask'>): Pick<Analyst, 'ask'> {
  if (caps === undefined) return analyst
  return {
    /** @throws RunError `cap_reached` or `too_many_questions`, and the errors of the analyst */
    async ask(question, signal) {
      const { runId } = question
      const subject = subjectAtHand()
      const refused = await caps.take('questions', runId, subject, signal)
      if (refused !== undefined) throw caps.errorOf(refused)
      const answer = await analyst.ask(question, signal).catch(async (error: unknown) => {
        // The signal may be aborted already, and the error of the run matters more than the count.
        await caps.settle(runId, subject, AbortSignal.timeout(USAGE_LIMITS.settleMs), false).catch(() => undefined)
        throw error
      })
      const { result } = answer
      const told = (await caps.settle(runId, subject, signal))(result.language)
      if (told === '') return answer
      return { ...answer, result: { ...result, answer: `${result.answer}\n\n${told}`, note: `${result.note} ${told}`.trim() } }
    },
  }
}

/** Wraps `handle` with a check of the person's presses. A press on Stop always works, and is not counted. */
export function pressWithinCaps(caps: Caps, handle: PressHandler): PressHandler {
  return async (press, signal) => {
    if (press.pressed.action === 'stop') return handle(press, signal)
    const { place, user, pressId, language = 'en' } = press
    const refused = await caps.take('presses', pressId, { person: askerName(place, user), place }, signal)
    if (refused === undefined) return handle(press, signal)
    return { markdown: chatWords(language).tooManyPresses(minutesLeft(refused)) }
  }
}

/** Wraps a model. It is asked only as long as no cap of the run at hand is reached, which ends the run with a RunError. */
export function modelWithinCaps(caps: Pick<Caps, 'check'> | undefined, model: LanguageModel): LanguageModel {
  if (caps === undefined) return model
  return {
    async *stream(request, signal) {
      await caps.check(signal).catch((error: unknown) => {
        throw signal.aborted ? cancelledModelError(signal) : error
      })
      yield* model.stream(request, signal)
    },
  }
}
