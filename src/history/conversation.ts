import { z } from 'zod'
import { cutCharacters } from '../warehouse/sql/plain-text.ts'
import { languageSchema } from '../words/language.ts'
import { HISTORY_LIMITS } from './limits.ts'

const entityListSchema = z.object({
  /** The result column that contains the values, such as `device_code`. */
  column: z.string(),
  values: z.array(z.string()),
  /** The number of values that the answer showed but `values` lacks. Absent if `values` has all of them. */
  more: z.number().optional(),
})

const turnSchema = z.object({
  run_id: z.string(),
  /** The name of the person who asked. Turns that an older version of Clew stored lack it. */
  asker: z.string().optional(),
  asked_at: z.iso.datetime(),
  question: z.string(),
  standalone_question: z.string(),
  intent: z.string(),
  /** The language of the question. Turns that an older version of Clew stored lack it. */
  language: languageSchema.optional(),
  answer: z.string(),
  /** The data questions that were asked to answer this turn, in natural language. */
  queries: z.array(
    z.object({
      id: z.string(),
      question: z.string(),
      /** The tables that the query read, as `database.table`. Turns that an older version of Clew stored lack them. */
      tables: z.array(z.string()).optional(),
    }),
  ),
})

/** The conversation of a thread, as Clew remembers it. It contains no schemas and no results. */
export const conversationSchema = z.object({
  version: z.literal(1),
  session_id: z.string(),
  summary: z.string(),
  /** The people whose turns the summary covers. An empty name stands for people who are unknown. */
  summary_askers: z.array(z.string()).optional(),
  turns: z.array(turnSchema),
  entities: z.array(entityListSchema),
  active_table: z.string().nullable(),
  /** The latest draft of a pipeline, in the form that the analyst gave it. Absent if there is none. */
  draft: z.json().optional(),
})

export type Conversation = z.infer<typeof conversationSchema>
export type ConversationTurn = z.infer<typeof turnSchema>
export type EntityList = z.infer<typeof entityListSchema>

/**
 * Creates an empty conversation.
 * @param sessionId an id that the caller makes; never take it from a user
 */
export function newConversation(sessionId: string): Conversation {
  return { version: 1, session_id: sessionId, summary: '', turns: [], entities: [], active_table: null }
}

/**
 * Adds a turn. It replaces an earlier turn of the same run. For example, the final answer replaces Clew's question to the person.
 * @param shown the entities in this answer; if there are none, "those" in a later question still means the earlier ones
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

/** Replaces the draft of a pipeline. */
export function withDraft(conversation: Conversation, draft: NonNullable<Conversation['draft']>): Conversation {
  return { ...conversation, draft }
}

/** Returns all turns except the last `keep`. These older turns get summarised. */
export function overflow(conversation: Conversation, keep: number): readonly ConversationTurn[] {
  return conversation.turns.slice(0, Math.max(0, conversation.turns.length - keep))
}

/**
 * Replaces the summarised turns with their summary. Keeps turns that were added in the meantime. If another summary was stored in
 * the meantime, changes nothing, because that summary may cover other turns.
 * @param told.before the earlier summary that `summary` continues
 */
export function withSummary(
  conversation: Conversation,
  summary: string,
  { before, turns }: { readonly before: string; readonly turns: readonly ConversationTurn[] },
): Conversation {
  if (conversation.summary !== before) return conversation
  const isTold = (turn: ConversationTurn) => turns.some(({ run_id, answer }) => run_id === turn.run_id && answer === turn.answer)
  const kept = conversation.turns.filter(turn => !isTold(turn))
  const askers = new Set([...summaryAskers(conversation), ...turns.map(({ asker = '' }) => asker)])
  return {
    ...conversation,
    summary: cutCharacters(summary, HISTORY_LIMITS.summaryCharacters),
    summary_askers: [...askers],
    turns: kept,
  }
}

function summaryAskers({ summary, summary_askers: askers }: Conversation): readonly string[] {
  return summary === '' ? [] : (askers ?? [''])
}

/**
 * Removes a person's turns, and all that may come from them: the summary, unless it covers known others only, and what the answers
 * have shown last. Returns the conversation itself if it has nothing of the person.
 * @param whose.runs the person's runs, which tell whose a turn without an asker is
 */
export function withoutPerson(
  conversation: Conversation,
  whose: { readonly person: string; readonly runs: ReadonlySet<string> },
): Conversation {
  const turns = conversation.turns.filter(turn => !isTurnOf(turn, whose))
  const isInSummary = summaryAskers(conversation).some(asker => asker === '' || asker === whose.person)
  if (turns.length === conversation.turns.length && !isInSummary) return conversation
  const { draft: _, summary_askers: askers, ...rest } = conversation
  const summary = isInSummary ? { summary: '' } : { ...(askers && { summary_askers: askers }) }
  return { ...rest, ...summary, turns, entities: [], active_table: null }
}

/** Whether a turn is of this person. */
export function isTurnOf(
  { asker, run_id }: ConversationTurn,
  { person, runs }: { readonly person: string; readonly runs: ReadonlySet<string> },
): boolean {
  return asker === person || runs.has(run_id)
}

/** Drops all turns except the last `most`. For a conversation that cannot be summarised. */
export function withLastTurns(conversation: Conversation, most: number): Conversation {
  return { ...conversation, turns: conversation.turns.slice(-most) }
}

function bounded(turn: ConversationTurn): ConversationTurn {
  return {
    ...turn,
    question: cutCharacters(turn.question, HISTORY_LIMITS.questionCharacters),
    standalone_question: cutCharacters(turn.standalone_question, HISTORY_LIMITS.questionCharacters),
    answer: cutCharacters(turn.answer, HISTORY_LIMITS.answerCharacters),
    queries: turn.queries.map(query => ({
      ...query,
      question: cutCharacters(query.question, HISTORY_LIMITS.questionCharacters),
    })),
  }
}
