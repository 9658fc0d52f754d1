import { rememberingNarrower } from '../access/narrow-schema.ts'
import { accessKey, type RunAccess } from '../access/run-access.ts'
import { afterOthersTurn } from '../base/slices.ts'
import { type Conversation, newConversation } from '../history/conversation.ts'
import { RunLog } from '../history/run-log.ts'
import type { OpenedSource } from '../sources/source.ts'
import type { StateStore } from '../store/state-store.ts'
import { type Language, languageFor } from '../words/language.ts'
import { answerQuestion } from './answer-question.ts'
import type { AskPerson, GivenChoice, WaitingStep } from './ask-back/interrupt.ts'
import { ConversationMemory, type ConversationMemoryDeps } from './conversation-memory.ts'
import { type DataDeps, type DataParts, dataParts, runSources } from './narrowed-deps.ts'
import type { RunContext } from './run/context.ts'
import { RunError } from './run/error.ts'
import type { RunObserver } from './run/event.ts'
import { fromDataNote, type Investigation, investigationSchema, LINEAGE } from './run/investigation.ts'
import { type RunRequest, runRequestSchema } from './run/request.ts'
import { RunRequests, rightsOf } from './run/requests.ts'
import type { RunResult } from './run/result.ts'
import { ResultRooms } from './run/result-room.ts'

export interface Question extends Pick<RunContext, 'subscribe' | 'standing'> {
  /** The surface assigns the id. A second call with the same id resumes the run. */
  readonly runId: string
  /** The thread of the message. Without a thread, the message has no earlier conversation. */
  readonly thread?: string
  /**
   * Whether the place has no threads, as in a direct conversation. Such a place never ends, so past topics say little about the
   * next question.
   */
  readonly isEndless?: boolean
  readonly text: string
  /** Unix time in milliseconds. */
  readonly askedAt: number
  /** The asker's IANA time zone, if known. */
  readonly timeZone?: string
  /** The language of the asker's platform, if known. */
  readonly language?: Language
  /** The asker's rights. If absent, the asker may read all tables of the schema. */
  readonly access?: RunAccess
  readonly observe?: RunObserver
  /**
   * Asks the person while the run waits for the answer. If absent, the run ends with its question, and a query over the budget is
   * narrowed without asking.
   */
  readonly askPerson?: AskPerson
  /** The person's answer to the question with which an earlier run ended. That run then continues. */
  readonly choice?: GivenChoice
  /**
   * The id of the run that this message would have started, if the message resumes another run instead. Stopping this id stops
   * the resumed run.
   */
  readonly messageRunId?: string
  /** The investigation that the message may continue. */
  readonly investigation?: Investigation & {
    /** @param question the message, rewritten to stand on its own */
    readonly goOn: (question: string, language: Language, signal: AbortSignal) => Promise<AnalystAnswer>
  }
}

export interface AnalystAnswer {
  readonly result: RunResult
  /** The steps that wait for the person's answer, which comes with these steps in `Question.choice`. Empty if the run is over. */
  readonly waiting: readonly WaitingStep[]
  /** Summarises the conversation after the reply was sent. A failure is only logged. */
  afterwards(signal: AbortSignal): Promise<void>
}

/** The members of `RunContext` that `ask` sets anew for each run: those of the question, and its own. */
type OfRun = keyof RunContext & (keyof Question | 'log' | 'given' | 'request' | 'room' | 'sources' | 'source' | 'planned')

export interface AnalystDeps extends DataDeps, ConversationMemoryDeps, Omit<RunContext, OfRun | keyof DataParts> {
  readonly store: StateStore
  /** Traces are kept for this time. Default: a week. */
  readonly traceRetentionSeconds?: number
  /** The operator's time zone, for askers whose own zone is unknown. */
  readonly timeZone: string
  /** The data sources, the default one first. Absent if the warehouse is the only one. */
  readonly dataSources?: readonly OpenedSource[]
}

/** Answers the questions of every surface, and remembers the conversations. */
export class Analyst {
  readonly #deps: AnalystDeps
  readonly #requests: RunRequests<RunRequest>
  readonly #memory: ConversationMemory
  readonly #narrowSchema = rememberingNarrower()
  readonly #rooms = new ResultRooms()

  constructor(deps: AnalystDeps) {
    const { store } = deps
    this.#deps = deps
    this.#requests = new RunRequests({ store, kind: 'request', schema: runRequestSchema })
    this.#memory = new ConversationMemory(deps)
  }

  /**
   * Answers a question, or resumes a run.
   * @throws RunError if a choice comes with other rights than its run had, or if the investigation to continue is no longer
   * stored
   * @throws the errors of `answerQuestion` and of `investigation.goOn`
   */
  async ask(question: Question, signal: AbortSignal): Promise<AnalystAnswer> {
    const data = dataParts(this.#deps, question.access, this.#narrowSchema)
    // Many questions may arrive at the same moment, so other work runs first.
    await afterOthersTurn()
    const thread = conversationOf(question)
    const request = await this.#openRequest(question, signal)
    const log = await RunLog.open(request.run_id, this.#deps, signal)
    let understood = { question: request.question, language: request.language }
    const observe: RunObserver = event => {
      if (event.kind === 'question_understood') understood = event
      question.observe?.(event)
    }
    // The surface knows only the platform's language. So it is told if the thread uses another one.
    if (request.language !== (question.language ?? 'en')) observe({ kind: 'question_understood', ...understood })
    const room = this.#rooms.open()
    const { dataSources, domain } = this.#deps
    const context: RunContext = {
      ...this.#deps,
      ...data,
      room,
      request,
      language: request.language,
      log,
      observe,
      ...(dataSources && { sources: runSources(dataSources, domain, question.access, this.#narrowSchema) }),
      ...(question.askPerson && { askPerson: question.askPerson }),
      ...(question.choice && { given: question.choice }),
      ...(question.subscribe && { subscribe: question.subscribe }),
      ...(question.standing && { standing: question.standing }),
    }
    const { result, activeTable, waiting, draft } = await answerQuestion(context, signal)
      .catch(async (error: unknown) => {
        if (thread !== undefined && question.standing === undefined)
          await this.#memory.rememberFailure(thread, request, { ...understood, error }, signal)
        throw error
      })
      .finally(() => room.close())
    if (result.intent === LINEAGE) {
      if (question.investigation === undefined) throw RunError.forgotten()
      return question.investigation.goOn(result.standalone_question, result.language, signal)
    }
    // If a run waits for the person, its request is stored until the person can no longer answer.
    if (waiting.length > 0) await this.#requests.keep(request.run_id, request, signal)
    const close = async (own: AbortSignal) => {
      if (waiting.length === 0) await log.close(own)
    }
    // A due run that has nothing to say is not part of the conversation.
    if (thread === undefined || result.answer === '') return { result, waiting, afterwards: close }
    const conversation = await this.#memory.rememberAnswer(thread, request, result, { activeTable, draft }, signal)
    const isAnswered =
      result.intent === 'data_analysis' && result.interrupt === null && result.queries.some(({ error }) => error === null)
    const note = isAnswered ? fromDataNote(request.investigation, request.conversation.turns, result.language) : ''
    return {
      result: withNote(result, note),
      waiting,
      afterwards: async own => {
        // Nobody waits for the summary, so nobody is told if it takes longer.
        const quiet: RunObserver = event => event.kind !== 'model_busy' && observe(event)
        await this.#memory.summarize({ ...context, observe: quiet }, thread, conversation, own)
        await close(own)
      },
    }
  }

  /** Returns the language in which to talk about a question that no model has read yet. */
  async languageOf(question: Question, signal: AbortSignal): Promise<Language> {
    const thread = conversationOf(question)
    const conversation = thread === undefined ? newConversation('') : await this.#deps.conversations.load(thread, signal)
    return languageIn(conversation, question)
  }

  /** Remembers an investigation's answer, so that the next message can continue from it. */
  async remember(question: Question, result: RunResult, signal: AbortSignal): Promise<void> {
    const thread = conversationOf(question)
    if (thread === undefined) return
    const asked_at = new Date(question.askedAt).toISOString()
    const asked = { run_id: result.run_id, asked_at, question: result.standalone_question }
    await this.#memory.rememberAnswer(thread, asked, { ...result, queries: [] }, {}, signal)
  }

  /**
   * For a resumed run, returns the stored request, with the time and the conversation of its start. Otherwise creates a request.
   */
  async #openRequest(question: Question, signal: AbortSignal): Promise<RunRequest> {
    const { conversations, timeZone } = this.#deps
    const stored = await this.#requests.find(question, signal)
    if (stored !== undefined) return stored
    if (question.choice !== undefined) throw RunError.forgotten()
    const thread = conversationOf(question)
    const conversation =
      thread === undefined || question.standing !== undefined
        ? newConversation(`session_${question.runId}`)
        : await conversations.load(thread, signal)
    const request: RunRequest = {
      version: 1,
      run_id: question.runId,
      question: question.text,
      asked_at: new Date(question.askedAt).toISOString(),
      time_zone: question.timeZone ?? timeZone,
      time_zone_source: question.timeZone === undefined ? 'operator' : 'asker',
      conversation,
      language: languageIn(conversation, question),
      access: rightsOf(question),
      investigation: question.investigation === undefined ? null : investigationSchema.parse(question.investigation),
    }
    await this.#requests.keep(request.run_id, request, signal)
    return request
  }
}

/** Returns the language of a question that no model has read yet. */
function languageIn(conversation: Conversation, { text, language: platform }: Question): Language {
  const thread = conversation.turns.findLast(turn => turn.language)?.language
  return languageFor({ question: text, thread, platform })
}

/**
 * Returns the key of a conversation. Within a thread, people with different rights have separate conversations, so that nobody
 * sees through the conversation what only others may see.
 */
function conversationOf({ thread, access }: Question): string | undefined {
  return thread === undefined || access === undefined ? thread : `${thread}#${accessKey(access)}`
}

function withNote(result: RunResult, note: string): RunResult {
  if (note === '') return result
  return { ...result, answer: `${result.answer}\n\n_${note}_`, note: `${result.note} ${note}`.trim() }
}
