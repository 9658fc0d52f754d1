import { DOMAIN_LIMITS } from './limits.ts'
import { type QueryTemplate, slotOf } from './query-parameters.ts'
import { isSameWord, type QuestionWord, type WordOptions, wordsOfQuestion } from './question-words.ts'

/** Maps each parameter to the words of the message that may be its value: once with a leading "the", and once without it. */
export type ParameterReadings = ReadonlyMap<string, readonly string[]>

/** Words that may refer to earlier messages. A follow-up with such a word matches no verified question. */
const OPEN = new Set(
  'it its they them their theirs this that these those he she him her his here there then same other others such one ones former latter above again also too else instead both'.split(
    ' ',
  ),
)
/**
 * Words by which askers name themselves. A question with such a word is about one person, so the verified query of one asker is wrong for another
 * asker.
 */
const SPEAKER = new Set(['i', "i'm", "i've", "i'd", 'me', 'my', 'mine', 'myself'])
const PREPOSITIONS = new Set(['in', 'on', 'during', 'over', 'within'])
const PERIODS = new Set(['week', 'month', 'quarter', 'year'])

/**
 * Compares a message with a question that has `{name}` in place of values. All other words must be the same, in the same order.
 * @param options.isLiteral set for a follow-up: its words must match exactly, and must not refer to earlier messages
 * @returns the possible readings; empty if the message does not match, or contains a word such as "my"
 */
export function readAs(
  message: string,
  { question, parameters = [] }: Pick<QueryTemplate, 'question' | 'parameters'>,
  options: WordOptions,
): readonly ParameterReadings[] {
  const words = wordsOfQuestion(message, options)
  const periods = new Set(parameters.filter(({ type }) => type === 'period').map(({ name }) => name))
  const wanted = withoutPrepositions(wordsOfQuestion(question, options), periods)
  if (words.length === 0 || words.length > DOMAIN_LIMITS.questionWords || saysMy(message)) return []
  if (options.isLiteral && leavesOpen(words)) return []
  const known = new Map<string, readonly ParameterReadings[]>()
  const readings = matches(wanted, words)
  return readings.length > DOMAIN_LIMITS.readings ? [] : readings

  /** Matches the rest of the question with the rest of the message. Without the cache, a question with many parameters takes too many steps. */
  function matches(rest: readonly QuestionWord[], left: readonly QuestionWord[]): readonly ParameterReadings[] {
    const key = `${rest.length} ${left.length}`
    const found = known.get(key) ?? matchesOf(rest, left).slice(0, DOMAIN_LIMITS.readings + 1)
    known.set(key, found)
    return found
  }

  function matchesOf(rest: readonly QuestionWord[], left: readonly QuestionWord[]): readonly ParameterReadings[] {
    const [first, ...others] = rest
    if (first === undefined) return left.length === 0 ? [new Map()] : []
    const slot = slotOf(first.text)
    const [word, ...behind] = left
    if (word === undefined) return []
    if (slot === undefined) return isSameWord(first, word, options) ? matches(others, behind) : []
    const lengths = Array.from(
      { length: Math.min(DOMAIN_LIMITS.valueWords, left.length - others.length) },
      (_, index) => index + 1,
    )
    return lengths.flatMap(length =>
      matches(others, left.slice(length)).map(said => new Map([...said, [slot, saidBy(left.slice(0, length))] as const])),
    )
  }

  function saidBy(said: readonly QuestionWord[]): readonly string[] {
    const [first] = said
    const to = said.at(-1)?.to ?? 0
    const starts = first === undefined ? [] : [first.from, ...(first.the === undefined ? [] : [first.the])]
    return starts.map(from => message.slice(from, to).replace(/\s+/g, ' '))
  }
}

/** Whether the asker speaks of themselves in the question. */
export function saysMy(question: string): boolean {
  return wordsOfQuestion(question, { isLiteral: true }).some(({ text }) => SPEAKER.has(text))
}

/** Drops a preposition before a period's placeholder, because the value brings its own: "in March 2026", "last month". */
function withoutPrepositions(words: readonly QuestionWord[], periods: ReadonlySet<string>): readonly QuestionWord[] {
  return words.filter(({ text }, at) => !(PREPOSITIONS.has(text) && periods.has(slotOf(words[at + 1]?.text ?? '') ?? '')))
}

function leavesOpen(words: readonly QuestionWord[]): boolean {
  return words.some(({ text }, at) => OPEN.has(text) && !(text === 'this' && PERIODS.has(words[at + 1]?.text ?? '')))
}
