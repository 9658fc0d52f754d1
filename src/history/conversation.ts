import { z } from 'zod'
import { cutCharacters } from '../clickhouse/catalog/plain-text.ts'
import { languageSchema } from '../words/language.ts'

/** Turns keep this much of an answer: enough to refer back to, too little to carry a result. */
const ANSWER_CHARACTERS = 4_000
/** A chat message may have 40,000 characters, and each turn stands in every prompt of the next ones. */
const QUESTION_CHARACTERS = 2_000
const SUMMARY_CHARACTERS = 4_000

const entityListSchema = z.object({
  /** The result column that the values stood in, e.g. `device_code`. */
  column: z.string(),
  values: z.array(z.string()),
})

const turnSchema = z.object({
  run_id: z.string(),
  asked_at: z.iso.datetime(),
  question: z.string(),
  standalone_question: z.string(),
  intent: z.string(),
  /** In which it was asked; unknown of turns that are older than this. */
  language: languageSchema.optional(),
  answer: z.string(),
  /** What was looked up, in words. */
  queries: z.array(
    z.object({
      id: z.string(),
      question: z.string(),
      /** What was read, as `database.table`; unknown of turns that are older than this. */
      tables: z.array(z.string()).optional(),
    }),
  ),
})

/**
 * What is remembered of a thread: a bounded summary of the older turns, the last turns, the entities last shown, and the table last
 * described. Schemas and results are not kept in it.
 */
export const conversationSchema = z.object({
  version: z.literal(1),
  session_id: z.string(),
  summary: z.string(),
  turns: z.array(turnSchema),
  entities: z.array(entityListSchema),
  active_table: z.string().nullable(),
})

export type Conversation = z.infer<typeof conversationSchema>
export type ConversationTurn = z.infer<typeof turnSchema>
export type EntityList = z.infer<typeof entityListSchema>

/** @param sessionId made by the caller, never taken from a user */
export function newConversation(sessionId: string): Conversation {
  return { version: 1, session_id: sessionId, summary: '', turns: [], entities: [], active_table: null }
}

/**
 * The conversation with one more turn. A run has one turn: what it asked the person gives way to what it answered in the end.
 * @param shown the entities that this answer showed; when it showed none, the earlier ones stay what "those" refers to
 */
export function withTurn(
  conversation: Conversation,
  turn: ConversationTurn,
  shown: readonly EntityList[],
  activeTable: string | null,
): Conversation {
  return {
    ...conversation,
    turns: [...conversation.turns.filter(earlier => earlier.run_id !== turn.run_id), bounded(turn)],
    entities: shown.length > 0 ? [...shown] : conversation.entities,
    active_table: activeTable ?? conversation.active_table,
  }
}

/** The turns that no longer fit the last `keep` and are to be summarised. */
export function overflow(conversation: Conversation, keep: number): readonly ConversationTurn[] {
  return conversation.turns.slice(0, Math.max(0, conversation.turns.length - keep))
}

/**
 * The conversation after some of its turns were told by `summary`. Turns that came in the meantime stay, and so does a summary that did: it may tell other turns.
 * @param told.before the summary that `summary` goes on from
 */
export function withSummary(
  conversation: Conversation,
  summary: string,
  { before, turns }: { readonly before: string; readonly turns: readonly ConversationTurn[] },
): Conversation {
  if (conversation.summary !== before) return conversation
  const isTold = (turn: ConversationTurn) => turns.some(({ run_id, answer }) => run_id === turn.run_id && answer === turn.answer)
  const kept = conversation.turns.filter(turn => !isTold(turn))
  return { ...conversation, summary: cutCharacters(summary, SUMMARY_CHARACTERS), turns: kept }
}

/** The conversation with its last `most` turns: a bound that holds also where no summary can be made. */
export function withLastTurns(conversation: Conversation, most: number): Conversation {
  return { ...conversation, turns: conversation.turns.slice(-most) }
}

function bounded(turn: ConversationTurn): ConversationTurn {
  return {
    ...turn,
    question: cutCharacters(turn.question, QUESTION_CHARACTERS),
    standalone_question: cutCharacters(turn.standalone_question, QUESTION_CHARACTERS),
    answer: cutCharacters(turn.answer, ANSWER_CHARACTERS),
    queries: turn.queries.map(query => ({ ...query, question: cutCharacters(query.question, QUESTION_CHARACTERS) })),
  }
}
