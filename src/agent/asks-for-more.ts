/** What a plan puts beside the figure that was asked for ("as a share of all", "in order of date") is in the rules by which SQL is written, too. */
const MOST_NEW_WORDS = 20
/** Numbers in words, and words of a period: where the plan has one, it was chosen. */
const NUMBERS = wordSet(
  'two three four five six seven eight nine ten eleven twelve twenty thirty fifty hundred thousand dozen zwei drei vier fünf sechs sieben acht neun zehn elf zwölf zwanzig dreißig hundert tausend',
)
/** Before a number: it counts what was named. */
const ALL = wordSet('all alle allen aller')
const PERIODS = wordSet(
  'last past previous recent recently today yesterday tomorrow letzte letzten letzter letztes vergangene vergangenen vergangener heute gestern morgen',
)
const WORDS = new Intl.Segmenter(undefined, { granularity: 'word' })
/** Each segment keeps a copy of all the text that it was cut from: 39,000 marks took a gigabyte. No word is as long as this, and a sentence without blanks is cut once in so many characters. */
const PIECE = /\S{1,200}/gu

/**
 * Whether a data question asks for more than the question it was made of, so that SQL for the latter would answer less: it has a number, or a name with a digit,
 * that the question has not (a period, a limit, a threshold that was chosen), a period in words where the question has none, or more than 20 new words. What stands in parentheses explains terms and says what
 * the data holds, and does not count; nor does "all three".
 */
export function asksForMore(dataQuestion: string, question: string): boolean {
  const known = new Set(wordsOf(question))
  const words = wordsOf(dataQuestion.replace(/\([^()]*\)/gu, ' '))
  const isCount = (word: string, index: number) => NUMBERS.has(word) && ALL.has(words[index - 1] ?? '')
  const added = new Set(words.filter((word, index) => !known.has(word) && !isCount(word, index)))
  const addsPeriod = [...added].some(word => PERIODS.has(word)) && ![...known].some(word => PERIODS.has(word))
  return added.size > MOST_NEW_WORDS || addsPeriod || [...added].some(word => NUMBERS.has(word) || /\p{N}/u.test(word))
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
