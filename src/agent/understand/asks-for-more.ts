import { AGENT_LIMITS } from '../limits.ts'

/** Number words and period words. A plan that adds one has made a choice for the person. */
const NUMBERS = wordSet(
  'two three four five six seven eight nine ten eleven twelve twenty thirty fifty hundred thousand dozen zwei drei vier fünf sechs sieben acht neun zehn elf zwölf zwanzig dreißig hundert tausend',
)
/** After one of these, a number only counts the named things. */
const ALL = wordSet('all alle allen aller')
const PERIODS = wordSet(
  'last past previous recent recently today yesterday tomorrow letzte letzten letzter letztes vergangene vergangenen vergangener heute gestern morgen',
)
const WORDS = new Intl.Segmenter(undefined, { granularity: 'word' })
/** Each segment keeps a copy of its whole source text: 39,000 marks took a gigabyte. So texts are cut into pieces longer than any word. */
const PIECE = /\S{1,200}/gu

/**
 * Whether a data question asks for more than its source question, so that SQL for the source would answer less. It adds a number,
 * a name with a digit, a period or more than 20 new words. Text in parentheses only explains and does not count, nor does "all
 * three".
 */
export function asksForMore(dataQuestion: string, question: string): boolean {
  const known = new Set(wordsOf(question))
  const words = wordsOf(dataQuestion.replace(/\([^()]*\)/gu, ' '))
  const isCount = (word: string, index: number) => NUMBERS.has(word) && ALL.has(words[index - 1] ?? '')
  const added = new Set(words.filter((word, index) => !known.has(word) && !isCount(word, index)))
  const addsPeriod = [...added].some(word => PERIODS.has(word)) && ![...known].some(word => PERIODS.has(word))
  return (
    added.size > AGENT_LIMITS.understand.newWords ||
    addsPeriod ||
    [...added].some(word => NUMBERS.has(word) || /\p{N}/u.test(word))
  )
}

function wordSet(words: string): ReadonlySet<string> {
  return new Set(words.split(' '))
}

function* eachWord(text: string): Generator<string, void> {
  for (const [piece] of text.toLowerCase().matchAll(PIECE))
    for (const { segment, isWordLike } of WORDS.segment(piece)) if (isWordLike === true) yield segment
}

function wordsOf(text: string): string[] {
  return [...eachWord(text)]
}
