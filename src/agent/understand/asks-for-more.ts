import { AGENT_LIMITS } from '../limits.ts'

/** Number words. A plan that adds a number has made a choice for the person. */
const NUMBERS = wordSet(
  'two three four five six seven eight nine ten eleven twelve twenty thirty fifty hundred thousand dozen zwei drei vier fünf sechs sieben acht neun zehn elf zwölf zwanzig dreißig hundert tausend',
)
/** Words such as "all". A number after one of them adds nothing, as in "all three shops". */
const ALL = wordSet('all alle allen aller')
const PERIODS = wordSet(
  'last past previous recent recently today yesterday tomorrow letzte letzten letzter letztes vergangene vergangenen vergangener heute gestern morgen',
)
const WORDS = new Intl.Segmenter(undefined, { granularity: 'word' })
/**
 * Matches pieces of a text that are longer than any word. The segmenter gets the text in such pieces, because it copies its whole
 * text into each segment. For 39,000 punctuation marks in one text, the copies took a gigabyte.
 */
const PIECE = /\S{1,200}/gu

/**
 * Whether a data question asks for more than the person's question. If so, SQL for the person's question would answer too little.
 * These ask for more: a number, a name with a digit, a period, or more than 20 new words. Text in parentheses is ignored, because
 * it only explains. So is the number in "all three".
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
