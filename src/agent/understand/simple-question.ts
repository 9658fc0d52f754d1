import { AGENT_LIMITS } from '../limits.ts'
import type { RunRequest } from '../run/request.ts'

/** Matches the end of a sentence that is not the last one. */
const SENTENCE_BREAK = /[.?!;。？！]["')\]]*\s+\S|[。？！；]\S|\n/u
/** Matches a question or a request. */
const ASKS = /[?？]["')\]]*$|^(please\s+)?(list|show|give|tell|count|find|name|zeig|zeige|nenne|liste|gib)\b/iu
/** Matches open questions, and questions about reasons or comparisons. Most of them need several data questions. */
const OPEN =
  /\b(why|how come|explain|reasons?|causes?|compar\w*|versus|vs|differ(?:s|ences?)?|change[ds]?|trends?|happen\w*|wrong|problems?|issues?|healthy|overview|summar\w*|everything|anything|warum|wieso|weshalb|vergleich\w*|unterschied\w*|pourquoi|por qué|perché)\b|\bhow (is|are|was|were|did|do|does)\b/iu
/** Matches a second question in the same sentence. */
const SECOND_QUESTION = /(,|\band|\bund|\bet|\by)\s+(what|which|who|whose|when|where|why|how|was|welche\w*|wer|wann|wo|wie)\b/iu

/**
 * Whether one query can probably answer the message as it is written. The message must be the first of its conversation, and one
 * sentence of 3 to 30 words. Open questions, questions about reasons or comparisons, and two questions at once are not simple.
 * The word lists cover only a few languages. A wrong yes costs one needless draft of SQL.
 */
export function isSimpleQuestion({ question, conversation }: Pick<RunRequest, 'question' | 'conversation'>): boolean {
  if (conversation.turns.length > 0 || conversation.summary !== '') return false
  const text = question.trim()
  const words = text.split(/\s+/u).length
  if (
    words < AGENT_LIMITS.understand.simpleLeastWords ||
    words > AGENT_LIMITS.understand.simpleMostWords ||
    SENTENCE_BREAK.test(text)
  )
    return false
  return asks(text) && !OPEN.test(text) && !SECOND_QUESTION.test(text)
}

/** Whether a message ends as a question, or begins as a request. */
export function asks(text: string): boolean {
  return ASKS.test(text.trim())
}
