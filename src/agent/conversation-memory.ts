import { errorMessage } from '../base/errors.ts'
import type { Logger } from '../base/logger.ts'
import { inSlices } from '../base/slices.ts'
import { personAtHand } from '../base/watched-work.ts'
import {
  type Conversation,
  type ConversationTurn,
  type EntityList,
  overflow,
  withDraft,
  withLastTurns,
  withSummary,
  withTurn,
} from '../history/conversation.ts'
import type { ConversationStore } from '../history/conversation-store.ts'
import { ModelError } from '../llm/error.ts'
import type { Language } from '../words/language.ts'
import { draftOf, type PipelineDraft } from './draft/pipeline-draft.ts'
import { AGENT_LIMITS } from './limits.ts'
import type { ModelContext } from './run/context.ts'
import { describeRunError } from './run/describe-run-error.ts'
import type { RunResult } from './run/result.ts'
import { entitiesShown } from './understand/entities-shown.ts'
import { summarize } from './understand/summarize.ts'

export interface ConversationMemoryDeps {
  readonly conversations: ConversationStore
  /** The number of turns that are kept word for word. */
  readonly historyTurns: number
  readonly logger: Logger
}

/** A turn before it has an answer. */
type AskedTurn = Pick<ConversationTurn, 'run_id' | 'asked_at' | 'question'>

/** Remembers the questions and answers of each thread. */
export class ConversationMemory {
  readonly #deps: ConversationMemoryDeps

  constructor(deps: ConversationMemoryDeps) {
    this.#deps = deps
  }

  /**
   * @param more.activeTable the table that "it" refers to in the next question
   * @param more.draft the pipeline that the run has drafted
   */
  async rememberAnswer(
    thread: string,
    asked: AskedTurn,
    { standalone_question, intent, language, answer, queries: reports }: RunResult,
    more: { readonly activeTable?: string | null; readonly draft?: PipelineDraft | null },
    signal: AbortSignal,
  ): Promise<Conversation> {
    const queries = reports.map(({ id, question, tables }) => ({ id, question, ...(tables && { tables: [...tables] }) }))
    const turn = { ...turnOf(asked), standalone_question, intent, language, answer, queries }
    return this.#add(thread, turn, { ...more, shown: await inSlices(entitiesShown(answer, reports)) }, signal)
  }

  /** Remembers a question that failed, because the next message may refer to it, such as "and for last month?". */
  async rememberFailure(
    thread: string,
    asked: AskedTurn,
    { question, language, error }: { readonly question: string; readonly language: Language; readonly error: unknown },
    signal: AbortSignal,
  ): Promise<void> {
    const isUnanswerable = error instanceof ModelError && error.kind === 'no_recording'
    if (signal.aborted || isUnanswerable) return
    const answer = describeRunError(error, asked.run_id, language)
    const turn = { ...turnOf(asked), standalone_question: question, language, intent: 'data_analysis', answer, queries: [] }
    try {
      await this.#add(thread, turn, {}, signal)
    } catch (fault) {
      this.#deps.logger.warn({ run: asked.run_id, error: errorMessage(fault) }, 'a failed question was not remembered')
    }
  }

  /** Summarises the older turns. A failure is only logged. */
  async summarize(context: ModelContext, thread: string, conversation: Conversation, signal: AbortSignal): Promise<void> {
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

  /** Adds a turn to the conversation that is stored now, because another run may have changed it since this run loaded it. */
  async #add(
    thread: string,
    turn: ConversationTurn,
    more: {
      readonly shown?: readonly EntityList[]
      readonly activeTable?: string | null
      readonly draft?: PipelineDraft | null
    },
    signal: AbortSignal,
  ): Promise<Conversation> {
    const { conversations, historyTurns } = this.#deps
    const { shown = [], activeTable = null, draft = null } = more
    const remembered = (now: Conversation) => {
      const next = withLastTurns(withTurn(now, turn, shown, activeTable), AGENT_LIMITS.turnsFactor * historyTurns)
      // A draft that does not work takes the place of no draft that works.
      const isKept = draft !== null && (draft.is_valid || draftOf(now)?.is_valid !== true)
      return isKept ? withDraft(next, draft) : next
    }
    return conversations.change(thread, remembered, signal)
  }
}

function turnOf({ run_id, asked_at, question }: AskedTurn): AskedTurn & Pick<ConversationTurn, 'asker'> {
  const asker = personAtHand()
  return { run_id, ...(asker !== '' && { asker }), asked_at, question }
}
