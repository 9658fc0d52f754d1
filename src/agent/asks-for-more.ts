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

function wordsOf(text: string): string[] {
  return [...WORDS.segment(text.toLowerCase())].filter(({ isWordLike }) => isWordLike).map(({ segment }) => segment)
}
