import { z } from 'zod'
import { parseJson } from '../../base/text/parse-json.ts'
import { HISTORY_LIMITS } from '../../history/limits.ts'
import type { StateStore } from '../../store/state-store.ts'
import type { Question } from '../analyst.ts'
import { RunError } from '../run/error.ts'
import { interruptSchema, waitingStepSchema } from './interrupt.ts'
import { matchChoice } from './match-choice.ts'

export const openQuestionSchema = interruptSchema.extend({
  version: z.literal(1),
  id: z.string(),
  run_id: z.string(),
  /** The person who was asked. Nobody else may answer. */
  asker: z.string(),
  /** Unix time in milliseconds. */
  asked_at: z.number(),
  /**
   * The id of the message that led to this question. If that message also closed an earlier question, `follows` is that
   * question's id.
   */
  message: z.string(),
  follows: z.string().optional(),
  /**
   * The key of the rights of the run that asked. Only an answer with the same rights is accepted, because the choices may contain
   * names that others must not see.
   */
  access: z.string().nullable().default(null),
  /** The steps that wait for the answer. Empty if the answer starts a new run. */
  steps: z.array(waitingStepSchema),
})
export type OpenQuestion = z.infer<typeof openQuestionSchema>

/**
 * The message or press that closed a question, and the index of the choice. The choice is null if the asker said something else.
 */
const closingSchema = z.object({ by: z.string(), choice: z.number().int().nonnegative().nullable() })
export type Closing = z.infer<typeof closingSchema>

/** The thread and the id of the question that a run has asked. */
const questionPlaceSchema = z.object({ thread: z.string(), id: z.string() })

/** A message in a thread, or the press of a choice's button in the thread. */
export interface ThreadMessage {
  readonly thread: string
  /** The message's id. It is the same if the message is handled a second time. */
  readonly id: string
  readonly author: string
  /** The key of the author's current rights. If absent, the author may see everything. */
  readonly access?: string | undefined
  readonly text: string
  /** Unix time in milliseconds. */
  readonly at: number
  /** The choice whose button was pressed. The press has already closed the question. */
  readonly pressed?: { readonly question: string; readonly choice: number }
}

/** A message after it was understood: a new question, or an answer that resumes a run. */
export interface UnderstoodMessage {
  readonly text: string
  readonly resumes?: Required<Pick<Question, 'runId' | 'choice'>>
  /** The question that the message closed, and the choice if the message means one. */
  readonly closed?: { readonly question: string; readonly choice?: string }
}

/**
 * Stores the open questions of runs. One message or press closes a question. The same one may close it again, because it is
 * handled again after a crash. A stored value that cannot be parsed is treated as absent.
 */
export class OpenQuestions {
  readonly #store: StateStore
  readonly #now: () => number

  /** @param deps.now Unix time in milliseconds */
  constructor(deps: { readonly store: StateStore; readonly now: () => number }) {
    this.#store = deps.store
    this.#now = deps.now
  }

  /**
   * Opens a question. From then on, an earlier open question to the same person in this thread can be answered only by its
   * buttons.
   */
  async open(
    thread: string,
    question: Omit<OpenQuestion, 'version' | 'asked_at' | 'access'> & { readonly access?: string | undefined },
    signal: AbortSignal,
  ): Promise<void> {
    const { id, asker } = question
    const text = JSON.stringify({
      ...question,
      access: question.access ?? null,
      version: 1,
      asked_at: this.#now(),
    } satisfies OpenQuestion)
    await this.#store.set(questionKey(thread, id), text, HISTORY_LIMITS.resumableSeconds, signal)
    const place = JSON.stringify({ thread, id } satisfies z.infer<typeof questionPlaceSchema>)
    await this.#store.set(ofRunKey(question.run_id), place, HISTORY_LIMITS.resumableSeconds, signal)
    await this.#store.set(latestKey(thread, asker), id, HISTORY_LIMITS.resumableSeconds, signal)
  }

  /** Returns a question, open or closed. Undefined if the question is unknown or has expired. */
  async find(thread: string, id: string, signal: AbortSignal): Promise<OpenQuestion | undefined> {
    const text = await this.#store.get(questionKey(thread, id), signal)
    const parsed = openQuestionSchema.safeParse(parseJson(text ?? ''))
    return parsed.success ? parsed.data : undefined
  }

  /** Returns the question for whose answer a run waits. Undefined if there is none, or if it is closed. */
  async ofRun(runId: string, signal: AbortSignal): Promise<OpenQuestion | undefined> {
    const place = questionPlaceSchema.safeParse(parseJson((await this.#store.get(ofRunKey(runId), signal)) ?? '')).data
    if (place === undefined) return undefined
    const { thread, id } = place
    const isClosed = (await this.#store.get(closedKey(thread, id), signal)) !== undefined
    return isClosed ? undefined : this.find(thread, id, signal)
  }

  /**
   * Closes a question, unless it is closed already.
   * @returns the first closing of the question
   */
  async close(thread: string, id: string, closing: Closing, signal: AbortSignal): Promise<Closing> {
    const key = closedKey(thread, id)
    if (await this.#store.setIfUnchanged(key, undefined, JSON.stringify(closing), HISTORY_LIMITS.resumableSeconds, signal))
      return closing
    const parsed = closingSchema.safeParse(parseJson((await this.#store.get(key, signal)) ?? ''))
    return parsed.success ? parsed.data : { by: '', choice: null }
  }

  /**
   * Decides whether a message answers the last open question to its author. If it means a choice, the waiting run resumes. If no
   * run waits, the label of the choice becomes a new question. Any other message is a new question, and closes the open one. A
   * message is also a new question if it is older than the open question, or if the author's rights have changed.
   * @throws RunError if a pressed choice can no longer be answered, or was offered under other rights
   */
  async understand(message: ThreadMessage, signal: AbortSignal): Promise<UnderstoodMessage> {
    const { thread, id, author, text, pressed, access = null } = message
    if (pressed !== undefined) {
      const question = await this.find(thread, pressed.question, signal)
      if (question?.asker !== author) throw RunError.forgotten()
      if (question.access !== access) throw RunError.otherAccess()
      return chosen(question, pressed.choice)
    }
    const question = await this.#askedBefore(message, signal)
    if (question === undefined || question.access !== access || message.at < question.asked_at) return { text }
    const choice = matchChoice(text, question) ?? null
    const closing = await this.close(thread, question.id, { by: id, choice }, signal)
    if (closing.by !== id) return { text }
    return choice === null ? { text, closed: { question: question.id } } : chosen(question, choice)
  }

  /**
   * Returns the last question that Clew asked the author before this message. If this message was handled before a crash, it may
   * itself have led to a question. That one is skipped.
   */
  async #askedBefore({ thread, id, author }: ThreadMessage, signal: AbortSignal): Promise<OpenQuestion | undefined> {
    const latest = await this.#store.get(latestKey(thread, author), signal)
    const question = latest === undefined ? undefined : await this.find(thread, latest, signal)
    if (question?.message !== id) return question
    return question.follows === undefined ? undefined : this.find(thread, question.follows, signal)
  }
}

function chosen({ id, run_id: runId, steps, choices }: OpenQuestion, index: number): UnderstoodMessage {
  const choice = choices[index]
  if (choice === undefined) throw RunError.forgotten()
  const { value, label } = choice
  return {
    // If no run waits, the choice is a new question, which may say more than its label.
    text: steps.length > 0 ? label : value,
    closed: { question: id, choice: label },
    ...(steps.length > 0 && { resumes: { runId, choice: { value, steps } } }),
  }
}

function questionKey(thread: string, id: string): string {
  return `{${thread}}:question:${id}`
}

function closedKey(thread: string, id: string): string {
  return `${questionKey(thread, id)}:closed`
}

function ofRunKey(runId: string): string {
  return `run:{${runId}}:question`
}

function latestKey(thread: string, asker: string): string {
  return `{${thread}}:asked:${asker}`
}
