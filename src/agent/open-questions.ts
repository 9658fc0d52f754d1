import { z } from 'zod'
import type { StateStore } from '../store/state-store.ts'
import type { Question } from './analyst.ts'
import { interruptSchema, waitingStepSchema } from './interrupt.ts'
import { matchChoice } from './match-choice.ts'
import { RunError } from './run-error.ts'

/** How long a question can be answered: as long as its run can be resumed. */
const RETENTION_S = 24 * 3600

const openQuestionSchema = interruptSchema.extend({
  version: z.literal(1),
  /** One for each time that something is asked; a run may ask several times. */
  id: z.string(),
  /** The run that asked. */
  run_id: z.string(),
  /** Who alone may answer. */
  asker: z.string(),
  /** Unix time in milliseconds. */
  asked_at: z.number(),
  /** The message that it was asked to, and the question which that one had closed. */
  message: z.string(),
  follows: z.string().optional(),
  /** What the answer is for; none where it begins a run of its own. */
  steps: z.array(waitingStepSchema),
})
export type OpenQuestion = z.infer<typeof openQuestionSchema>

/** What closed a question: the message or press, and the choice it made; null where its asker said something else. */
const closingSchema = z.object({ by: z.string(), choice: z.number().int().nonnegative().nullable() })
export type Closing = z.infer<typeof closingSchema>

/** What somebody wrote in a thread, or the choice that they made there by a button. */
export interface ThreadMessage {
  readonly thread: string
  /** The same however often the message is handled. */
  readonly id: string
  readonly author: string
  readonly text: string
  /** When it came, Unix time in milliseconds. */
  readonly at: number
  /** A button's choice; the press has closed the question. */
  readonly pressed?: { readonly question: string; readonly choice: number }
}

/** What a message is to the analyst: a question, or the answer with which a run goes on. */
export interface UnderstoodMessage {
  readonly text: string
  readonly resumes?: Required<Pick<Question, 'runId' | 'choice'>>
  /** The question that it closed, and with which choice, if with one. */
  readonly closed?: { readonly question: string; readonly choice?: string }
}

/**
 * The questions that runs have asked and that nobody has answered yet. Each is closed once, by one message or press; that one may close it again, so that
 * whoever handles it can start anew after a crash. Values that cannot be read count as absent.
 */
export class OpenQuestions {
  readonly #store: StateStore
  readonly #now: () => number

  /** @param deps.now Unix time in milliseconds */
  constructor(deps: { readonly store: StateStore; readonly now: () => number }) {
    this.#store = deps.store
    this.#now = deps.now
  }

  /** Opens a question. What the same person was asked before in this thread can no longer be answered in words. */
  async open(thread: string, question: Omit<OpenQuestion, 'version' | 'asked_at'>, signal: AbortSignal): Promise<void> {
    const { id, asker } = question
    const text = JSON.stringify({ ...question, version: 1, asked_at: this.#now() } satisfies OpenQuestion)
    await this.#store.set(questionKey(thread, id), text, RETENTION_S, signal)
    await this.#store.set(latestKey(thread, asker), id, RETENTION_S, signal)
  }

  /** The question of this id, open or closed; undefined where there is none, or none any more. */
  async find(thread: string, id: string, signal: AbortSignal): Promise<OpenQuestion | undefined> {
    const text = await this.#store.get(questionKey(thread, id), signal)
    const parsed = openQuestionSchema.safeParse(parseJson(text))
    return parsed.success ? parsed.data : undefined
  }

  /** Closes a question, unless something else has. @returns what closed it: what was given, or what came first */
  async close(thread: string, id: string, closing: Closing, signal: AbortSignal): Promise<Closing> {
    const key = `${questionKey(thread, id)}:closed`
    if (await this.#store.setIfUnchanged(key, undefined, JSON.stringify(closing), RETENTION_S, signal)) return closing
    const parsed = closingSchema.safeParse(parseJson(await this.#store.get(key, signal)))
    return parsed.success ? parsed.data : { by: '', choice: null }
  }

  /**
   * What a message means. Where its author was asked something last, it is the answer or closes that question: the words of a choice resume the run, or
   * stand for the choice where the question was what they mean; other words are a question of their own. What they wrote before they were asked has
   * nothing to do with it.
   * @throws RunError when what was pressed cannot be answered any more
   */
  async understand(message: ThreadMessage, signal: AbortSignal): Promise<UnderstoodMessage> {
    const { thread, id, author, text, pressed } = message
    if (pressed !== undefined) {
      const question = await this.find(thread, pressed.question, signal)
      if (question?.asker !== author) throw RunError.forgotten()
      return chosen(question, pressed.choice)
    }
    const question = await this.#askedBefore(message, signal)
    if (question === undefined || message.at < question.asked_at) return { text }
    const choice = matchChoice(text, question) ?? null
    const closing = await this.close(thread, question.id, { by: id, choice }, signal)
    if (closing.by !== id) return { text }
    return choice === null ? { text, closed: { question: question.id } } : chosen(question, choice)
  }

  /** What the author was asked last before this message; what it was itself answered with, before a crash, is not meant. */
  async #askedBefore({ thread, id, author }: ThreadMessage, signal: AbortSignal): Promise<OpenQuestion | undefined> {
    const latest = await this.#store.get(latestKey(thread, author), signal)
    const question = latest === undefined ? undefined : await this.find(thread, latest, signal)
    if (question?.message !== id) return question
    return question.follows === undefined ? undefined : this.find(thread, question.follows, signal)
  }
}

/** A choice as the message that it stands for. */
function chosen({ id, run_id: runId, steps, choices }: OpenQuestion, index: number): UnderstoodMessage {
  const choice = choices[index]
  if (choice === undefined) throw RunError.forgotten()
  const { value, label } = choice
  return {
    text: label,
    closed: { question: id, choice: label },
    ...(steps.length > 0 && { resumes: { runId, choice: { value, steps } } }),
  }
}

function questionKey(thread: string, id: string): string {
  return `{${thread}}:question:${id}`
}

function latestKey(thread: string, asker: string): string {
  return `{${thread}}:asked:${asker}`
}

function parseJson(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '')
  } catch {
    return undefined
  }
}
