import type { Analyst } from '../../agent/analyst.ts'
import { RunError } from '../../agent/run/error.ts'
import type { RunResult } from '../../agent/run/result.ts'
import { asRun, type Subject, subjectAtHand } from '../../base/watched-work.ts'
import type { PressHandler } from '../../chat/press-handler.ts'
import type { Reply } from '../../chat/reply.ts'
import { retryAction } from '../../chat/run-actions.ts'
import { cancelledModelError } from '../../llm/error.ts'
import type { LanguageModel, ModelEvent, ModelRequest } from '../../llm/language-model.ts'
import { chatWords } from '../../words/chat.ts'
import type { Language } from '../../words/language.ts'
import { askerName } from '../asker.ts'
import type { AnswerMessage } from '../drain/settle-message.ts'
import { USAGE_LIMITS } from '../limits.ts'
import type { Standing } from './cap.ts'
import type { Caps } from './caps.ts'
import { minutesUntil, reachedSentence, toldSentence } from './sentences.ts'

/** The parts that hold work against caps. */
export interface WithinCaps {
  readonly caps: Pick<Caps, 'take' | 'settle' | 'check'>
  readonly timeZone: string
  /** Unix time in milliseconds. */
  readonly now: () => number
}

/** Wraps `answer`. Whoever has reached a cap is told so. Whoever has nearly reached it is told below the answer. */
export function answerWithinCaps(own: WithinCaps, answer: AnswerMessage): AnswerMessage {
  return async (accepted, context, signal) => {
    const { runId, message } = accepted
    const { language = 'en' } = message
    const { refused, result, told } = await withinCaps(own, runId, () => answer(accepted, context, signal), signal)
    if (refused !== undefined) {
      const error = capError(own, refused)
      return { kind: 'error', code: error.code, sentence: error.inLanguage(language), actions: [retryAction(runId, language)] }
    }
    return told.length === 0 ? result : withNote(result, toldIn(own, told))
  }
}

function withNote(reply: Reply, noteIn: (language: Language) => string): Reply {
  if (reply.kind !== 'answer') return reply
  const { footer, result } = reply
  const note = noteIn(reply.language ?? result?.language ?? 'en')
  const below = footer === undefined ? note : `${footer}\n\n${note}`
  return { ...reply, footer: below, ...(result && { result: resultWithNote(result, note) }) }
}

function resultWithNote(result: RunResult, note: string): RunResult {
  return { ...result, answer: `${result.answer}\n\n${note}`, note: `${result.note} ${note}`.trim() }
}

/** Wraps `handle` with a check of the person's presses. A press on Stop always works, and is not counted. */
export function pressWithinCaps({ caps, now }: WithinCaps, handle: PressHandler): PressHandler {
  return async (press, signal) => {
    if (press.pressed.action === 'stop') return handle(press, signal)
    const person = askerName(press.place, press.user)
    const refused = await caps.take('presses', press.pressId, { person, place: press.place }, signal)
    if (refused === undefined) return handle(press, signal)
    return { markdown: chatWords(press.language ?? 'en').tooManyPresses(minutesUntil(refused.endsAt, now())) }
  }
}

/** Wraps an analyst that answers one person in this process, without a queue. */
export function analystWithinCaps(own: WithinCaps, person: string, analyst: Pick<Analyst, 'ask'>): Pick<Analyst, 'ask'> {
  return {
    ask(question, signal) {
      const run = { id: question.runId, person }
      return asRun(run, async () => {
        const { refused, result, told } = await withinCaps(own, run.id, () => analyst.ask(question, signal), signal)
        if (refused !== undefined) throw capError(own, refused)
        const answered = result.result
        return {
          ...result,
          result: told.length === 0 ? answered : resultWithNote(answered, toldIn(own, told)(answered.language)),
          afterwards: later => asRun(run, () => result.afterwards(later)),
        }
      })
    },
  }
}

/** Asks a model only as long as no cap of the run at hand is reached. */
export class CappedLanguageModel implements LanguageModel {
  readonly #own: WithinCaps
  readonly #model: LanguageModel

  constructor(own: WithinCaps, model: LanguageModel) {
    this.#own = own
    this.#model = model
  }

  /** @throws RunError `cap_reached`, and the errors of the model */
  async *stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent, void> {
    await checkCaps(this.#own, signal).catch((error: unknown) => {
      throw signal.aborted ? cancelledModelError(signal) : error
    })
    yield* this.#model.stream(request, signal)
  }
}

/** @throws RunError if a cap does not allow the run at hand to go on */
export async function checkCaps(own: WithinCaps, signal: AbortSignal): Promise<void> {
  const refused = await own.caps.check(signal)
  if (refused !== undefined) throw capError(own, refused)
}

type Done<Result> =
  | { readonly refused: Standing; readonly result?: undefined; readonly told?: undefined }
  | { readonly refused?: undefined; readonly result: Result; readonly told: readonly Standing[] }

/** Takes a question, works, and settles what was taken. The work counts even if it fails. */
async function withinCaps<Result>(
  { caps }: WithinCaps,
  runId: string,
  work: () => Promise<Result>,
  signal: AbortSignal,
): Promise<Done<Result>> {
  const subject: Subject = subjectAtHand()
  const refused = await caps.take('questions', runId, subject, signal)
  if (refused !== undefined) return { refused }
  const result = await work().catch(async (error: unknown) => {
    // The signal may be aborted already, and the error of the work matters more than the count.
    await caps.settle(runId, subject, { isTold: false }, AbortSignal.timeout(USAGE_LIMITS.settleMs)).catch(() => undefined)
    throw error
  })
  return { result, told: await caps.settle(runId, subject, { isTold: true }, signal) }
}

function capError({ timeZone, now }: WithinCaps, reached: Standing): RunError {
  const code = typeof reached.window === 'number' ? 'too_many_questions' : 'cap_reached'
  return RunError.capReached(code, language => reachedSentence(reached, { now: now(), timeZone }, language))
}

function toldIn({ timeZone }: WithinCaps, told: readonly Standing[]): (language: Language) => string {
  return language => told.map(standing => toldSentence(standing, timeZone, language)).join(' ')
}
