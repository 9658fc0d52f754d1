import { z } from 'zod'
import { rememberingNarrower } from '../access/narrow-schema.ts'
import { accessKey, type RunAccess } from '../access/run-access.ts'
import type { QueryValidator } from '../clickhouse/validation/query-validator.ts'
import { errorMessage } from '../errors.ts'
import {
  type Conversation,
  type ConversationTurn,
  type EntityList,
  newConversation,
  overflow,
  withLastTurns,
  withSummary,
  withTurn,
} from '../history/conversation.ts'
import type { ConversationStore } from '../history/conversation-store.ts'
import { RunLog } from '../history/run-log.ts'
import { ModelError } from '../llm/model-error.ts'
import { nextTurn } from '../slices.ts'
import { type Language, languageFor } from '../words/language.ts'
import { answerQuestion } from './answer-question.ts'
import { describeRunError } from './describe-run-error.ts'
import { entitiesShown } from './entities-shown.ts'
import type { AskPerson, GivenChoice, WaitingStep } from './interrupt.ts'
import { fromDataNote, type Investigation, investigationSchema, LINEAGE } from './investigation.ts'
import { narrowedDeps } from './narrowed-deps.ts'
import type { AgentDeps, RunContext } from './run-context.ts'
import { RunError } from './run-error.ts'
import type { RunObserver } from './run-event.ts'
import { type RunRequest, runRequestSchema } from './run-request.ts'
import type { RunResult } from './run-result.ts'
import { summarize } from './summarize.ts'

/** A started run can be resumed for this long. */
const REQUEST_RETENTION_S = 24 * 3600
/** Times the turns to keep: what a conversation may grow to while its summary fails. */
const MOST_TURNS_FACTOR = 2

/** One message to be answered. */
export interface Question {
  /** Made by the server; the same again resumes the run. */
  readonly runId: string
  /** The conversation it belongs to; without one it stands alone. */
  readonly thread?: string
  /** The conversation is all that is ever said in a place that has no threads: what was looked into there says little of what is asked next. */
  readonly isEndless?: boolean
  readonly text: string
  /** When it was asked, Unix time in milliseconds. */
  readonly askedAt: number
  /** The asker's IANA time zone, where the surface knows it. */
  readonly timeZone?: string
  /** The language of the asker's platform, where the surface knows it. */
  readonly language?: Language
  /** What the asker may read; without it everything that the schema shows. */
  readonly access?: RunAccess
  readonly observe?: RunObserver
  /** Asks the person; without it a query over the budget is narrowed, and in which data source to look is asked by the result. */
  readonly askPerson?: AskPerson
  /** What the person answered to the question that the run of this id stopped with: it goes on from there, and nothing that was finished is done again. */
  readonly choice?: GivenChoice
  /** The run by which the message is stopped, where it goes on with another one. */
  readonly messageRunId?: string
  /** The investigation that the message may go on with, and how to go on. */
  readonly investigation?: Investigation & {
    /** @param question made to stand on its own */
    readonly goOn: (question: string, language: Language, signal: AbortSignal) => Promise<AnalystAnswer>
  }
}

export interface AnalystAnswer {
  readonly result: RunResult
  /** Where the run stopped to ask and can be resumed: what the answer is for, to be handed back with it as `Question.choice`. Empty otherwise. */
  readonly waiting: readonly WaitingStep[]
  /** What is done after the answer is out: the conversation's summary. Never needed for the answer itself, so its failure is only logged. */
  afterwards(signal: AbortSignal): Promise<void>
}

export interface AnalystDeps extends Omit<AgentDeps, 'validator'> {
  /** Made for the warehouse of a run: one that reads with the asker's roles. */
  readonly validatorOn: (warehouse: AgentDeps['warehouse']) => QueryValidator
  readonly conversations: ConversationStore
  /** Turns kept word by word. */
  readonly historyTurns: number
  /** The operator's time zone, for askers whose own is unknown. */
  readonly timeZone: string
}

/** The analyst as every surface uses it: a question in, an answer out, the conversation kept. */
export class Analyst {
  readonly #deps: AnalystDeps & AgentDeps
  readonly #narrowSchema = rememberingNarrower()

  constructor(deps: AnalystDeps) {
    this.#deps = { ...deps, validator: deps.validatorOn(deps.warehouse) }
  }

  /**
   * @throws whatever `answerQuestion` and `investigation.goOn` throw; RunError when a choice is made with other rights than the run had that asked, or a run has to go on with an
   * investigation that is forgotten
   */
  async ask(question: Question, signal: AbortSignal): Promise<AnalystAnswer> {
    const deps = question.access === undefined ? this.#deps : narrowedDeps(this.#deps, question.access, this.#narrowSchema)
    // Many may be asked at the same moment.
    await nextTurn()
    const thread = conversationOf(question)
    const request = await this.#openRequest(question, signal)
    const log = await RunLog.open(request.run_id, deps, signal)
    let understood = { question: request.question, language: request.language }
    const observe: RunObserver = event => {
      if (event.kind === 'question_understood') understood = event
      question.observe?.(event)
    }
    // The surface knows neither the thread nor its language.
    if (request.language !== (question.language ?? 'en')) observe({ kind: 'question_understood', ...understood })
    const context: RunContext = {
      deps,
      request,
      language: request.language,
      log,
      observe,
      ...(question.askPerson && { askPerson: question.askPerson }),
      ...(question.choice && { given: question.choice }),
    }
    const { result, activeTable, waiting } = await answerQuestion(context, signal).catch(async (error: unknown) => {
      await this.#rememberFailure(thread, request, { understood, error }, signal)
      throw error
    })
    if (result.intent === LINEAGE) {
      if (question.investigation === undefined) throw RunError.forgotten()
      return question.investigation.goOn(result.standalone_question, result.language, signal)
    }
    // A run that waits must be there for as long as its question can be answered.
    if (waiting.length > 0) await this.#keepRequest(request, signal)
    const close = async (own: AbortSignal) => {
      if (waiting.length === 0) await log.close(own)
    }
    if (thread === undefined) return { result, waiting, afterwards: close }
    const turn = {
      ...turnOf(request),
      ...told(result),
      queries: result.queries.map(({ id, question: text, tables }) => ({
        id,
        question: text,
        ...(tables && { tables: [...tables] }),
      })),
    }
    const conversation = await this.#remember(thread, turn, entitiesShown(result.answer, result.queries), activeTable, signal)
    const isAnswered = result.intent === 'data_analysis' && result.interrupt === null
    const note = isAnswered ? fromDataNote(request.investigation, request.conversation.turns, result.language) : ''
    return {
      result: withNote(result, note),
      waiting,
      afterwards: async own => {
        await this.#summarize(context, thread, conversation, own)
        await close(own)
      },
    }
  }

  /** In which language its thread and its words say that a question is to be answered. */
  async languageOf(question: Question, signal: AbortSignal): Promise<Language> {
    const thread = conversationOf(question)
    const conversation = thread === undefined ? newConversation('') : await this.#deps.conversations.load(thread, signal)
    return languageIn(conversation, question)
  }

  /** Remembers what the thread was told by an investigation, so that what is said next can go on from it. */
  async remember(question: Question, result: RunResult, signal: AbortSignal): Promise<void> {
    const thread = conversationOf(question)
    if (thread === undefined) return
    const asked = { asked_at: new Date(question.askedAt).toISOString(), question: result.standalone_question }
    await this.#remember(thread, { run_id: result.run_id, ...asked, ...told(result), queries: [] }, [], null, signal)
  }

  /** Adds the turn to the thread as it is now: it may have gone on while the run waited for an answer. */
  async #remember(
    thread: string,
    turn: ConversationTurn,
    shown: readonly EntityList[],
    activeTable: string | null,
    signal: AbortSignal,
  ): Promise<Conversation> {
    const { conversations, historyTurns } = this.#deps
    const remembered = (now: Conversation) =>
      withLastTurns(withTurn(now, turn, shown, activeTable), MOST_TURNS_FACTOR * historyTurns)
    return conversations.change(thread, remembered, signal)
  }

  /** A question that ended in an error was asked all the same: "and for last month?" may follow it. */
  async #rememberFailure(
    thread: string | undefined,
    request: RunRequest,
    {
      understood,
      error,
    }: { readonly understood: { readonly question: string; readonly language: Language }; readonly error: unknown },
    signal: AbortSignal,
  ): Promise<void> {
    const isUnanswerable = error instanceof ModelError && error.kind === 'no_recording'
    if (thread === undefined || signal.aborted || isUnanswerable) return
    const turn = {
      ...turnOf(request),
      standalone_question: understood.question,
      language: understood.language,
      intent: 'data_analysis',
      answer: describeRunError(error, request.run_id, understood.language),
      queries: [],
    }
    try {
      await this.#remember(thread, turn, [], null, signal)
    } catch (fault) {
      this.#deps.logger.warn({ run: request.run_id, error: errorMessage(fault) }, 'a failed question was not remembered')
    }
  }

  async #summarize(context: RunContext, thread: string, conversation: Conversation, signal: AbortSignal): Promise<void> {
    const { conversations, historyTurns, logger } = this.#deps
    try {
      const { summary: before } = conversation
      const turns = overflow(conversation, historyTurns)
      if (turns.length === 0) return
      const summary = await summarize(context, { summary: before, turns: [...turns] }, signal)
      await conversations.change(thread, now => withSummary(now, summary, { before, turns }), signal)
    } catch (error) {
      logger.warn({ run: context.log.runId, error: errorMessage(error) }, 'conversation not summarized')
    }
  }

  /** The run's request as it was first made: a resumed run sees the time and the conversation of its start. */
  async #openRequest(question: Question, signal: AbortSignal): Promise<RunRequest> {
    const { store, conversations, timeZone } = this.#deps
    const stored = runRequestJson.safeParse(await store.get(requestKey(question.runId), signal))
    const access = question.access === undefined ? null : accessKey(question.access)
    if (stored.success && stored.data.access === access) return stored.data
    if (stored.success) {
      // What its finished steps have read, by other rights, is in the run's log. A choice answers what one of them has asked.
      if (question.choice !== undefined) throw RunError.otherAccess()
      await RunLog.forget(question.runId, store, signal)
    }
    if (question.choice !== undefined) throw RunError.forgotten()
    const thread = conversationOf(question)
    const conversation =
      thread === undefined ? newConversation(`session_${question.runId}`) : await conversations.load(thread, signal)
    const request: RunRequest = {
      version: 1,
      run_id: question.runId,
      question: question.text,
      asked_at: new Date(question.askedAt).toISOString(),
      time_zone: question.timeZone ?? timeZone,
      time_zone_source: question.timeZone === undefined ? 'operator' : 'asker',
      conversation,
      language: languageIn(conversation, question),
      access,
      investigation: question.investigation === undefined ? null : investigationSchema.parse(question.investigation),
    }
    await this.#keepRequest(request, signal)
    return request
  }

  async #keepRequest(request: RunRequest, signal: AbortSignal): Promise<void> {
    await this.#deps.store.set(requestKey(request.run_id), JSON.stringify(request), REQUEST_RETENTION_S, signal)
  }
}

/** In which a question is spoken of until a model has read it. */
function languageIn(conversation: Conversation, { text, language: platform }: Question): Language {
  const thread = conversation.turns.findLast(turn => turn.language)?.language
  return languageFor({ question: text, thread, platform })
}

function requestKey(runId: string): string {
  return `run:{${runId}}:request`
}

/**
 * The conversation that a question goes on with. People with other rights have another one in the same thread: what one of them was answered, another could
 * ask about.
 */
function conversationOf({ thread, access }: Question): string | undefined {
  return thread === undefined || access === undefined ? thread : `${thread}#${accessKey(access)}`
}

const runRequestJson = z
  .string()
  .transform((text, context) => {
    try {
      return JSON.parse(text) as unknown
    } catch {
      context.addIssue({ code: 'custom', message: 'not JSON' })
      return z.NEVER
    }
  })
  .pipe(runRequestSchema)

function turnOf({ run_id, asked_at, question }: RunRequest): Pick<ConversationTurn, 'run_id' | 'asked_at' | 'question'> {
  return { run_id, asked_at, question }
}

function told({
  standalone_question,
  intent,
  language,
  answer,
}: RunResult): Pick<ConversationTurn, 'standalone_question' | 'intent' | 'language' | 'answer'> {
  return { standalone_question, intent, language, answer }
}

function withNote(result: RunResult, note: string): RunResult {
  if (note === '') return result
  return { ...result, answer: `${result.answer}\n\n_${note}_`, note: `${result.note} ${note}`.trim() }
}
