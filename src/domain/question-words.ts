/** A word of a question, normalised for comparisons. */
export interface QuestionWord {
  /** In lower case, without punctuation around it. */
  readonly text: string
  /** The word's position in the original question. Punctuation around the word is left out. */
  readonly from: number
  readonly to: number
  /** The position of a "the" that was dropped before the word. A name may include it. */
  readonly the?: number
  /** The word starts with a capital letter, as names do. */
  readonly isCapital: boolean
  /** The word follows a number, as units of time do. */
  readonly isCounted: boolean
}

export interface WordOptions {
  /** Set if only polite words are dropped, and "the" stays. */
  readonly isLiteral: boolean
  /** Set if singular and plural count as different words. */
  readonly numberCounts?: boolean
}

const ASK_ME = ['tell me', 'show me', 'give me']
/** Polite words at the start of a question. docs/domain.md lists them. */
const OPENINGS = phrases([
  ...['please', 'hi', 'hello', 'hey', 'clew', 'do you know', 'i want to know', 'i would like to know', ...ASK_ME],
  ...['can you', 'could you', 'would you'].flatMap(ask => ASK_ME.flatMap(me => [`${ask} ${me}`, `${ask} please ${me}`])),
])
/** Polite words at the end of a question. */
const CLOSINGS = phrases(['please', 'thanks', 'thank you', 'thx'])
const CONTRACTIONS: ReadonlySet<string> = new Set(['what', 'who', 'where', 'how', 'when'].map(word => `${word}'s`))

/** Signs at the edge of a word that do not change its meaning. A minus, a percent sign or a tilde would change it, so they are not listed. */
const BEFORE = /^[("'“”‘’`[¿¡]+/u
const BEHIND = /(?<![)"'“”‘’`\].,;:!?…])[)"'“”‘’`\].,;:!?…]+$/u

/** Splits a question into words for comparisons. Case, punctuation, politeness and "the" do not matter. */
export function wordsOfQuestion(question: string, { isLiteral }: WordOptions): readonly QuestionWord[] {
  const written = [...question.matchAll(/\S+/g)].flatMap(match => wordsIn(match[0], match.index))
  const words = withoutPoliteness(written)
  return counted(isLiteral ? words : withoutThe(words))
}

type Written = Omit<QuestionWord, 'isCounted'>

function wordsIn(raw: string, at: number): readonly Written[] {
  const from = at + (BEFORE.exec(raw)?.[0].length ?? 0)
  const bare = raw.replace(BEFORE, '').replace(BEHIND, '')
  if (bare === '') return []
  const place = { from, to: from + bare.length, isCapital: /^\p{Lu}/u.test(bare) }
  const text = bare.normalize('NFC').toLowerCase().replaceAll('’', "'")
  return CONTRACTIONS.has(text)
    ? [
        { text: text.slice(0, -2), ...place },
        { text: 'is', ...place },
      ]
    : [{ text, ...place }]
}

function withoutPoliteness(words: readonly Written[]): readonly Written[] {
  const opening = OPENINGS.find(phrase => words.length > phrase.length && phrase.every((word, at) => words[at]?.text === word))
  if (opening !== undefined) return withoutPoliteness(words.slice(opening.length))
  const closing = CLOSINGS.find(
    phrase => words.length > phrase.length && phrase.every((word, at) => words.at(at - phrase.length)?.text === word),
  )
  return closing === undefined ? words : withoutPoliteness(words.slice(0, -closing.length))
}

function withoutThe(words: readonly Written[]): readonly Written[] {
  return words.flatMap((word, at) => {
    if (word.text === 'the') return []
    const before = words[at - 1]
    return [before?.text === 'the' ? { ...word, the: before.from } : word]
  })
}

function counted(words: readonly Written[]): readonly QuestionWord[] {
  return words.map((word, at) => ({ ...word, isCounted: /^(?:\d|\{)/.test(words[at - 1]?.text ?? '') }))
}

function phrases(texts: readonly string[]): readonly (readonly string[])[] {
  return texts.map(text => text.split(' ')).sort((a, b) => b.length - a.length)
}

const UNITS: ReadonlySet<string> = new Set(['second', 'minute', 'hour', 'day', 'week', 'month', 'quarter', 'year'])
/** Words whose final s is not dropped, because they would mean something else without it. */
const OTHER_WORDS: ReadonlySet<string> = new Set([
  'means',
  'news',
  'goods',
  'times',
  'savings',
  'lives',
  'does',
  'has',
  'was',
  'this',
  'its',
  'less',
])

/** Whether two words are the same apart from a plural s. After "the" or a number, and in names, the s makes a difference: Williams is not William. */
export function isSameWord(one: QuestionWord, other: QuestionWord, { isLiteral, numberCounts = false }: WordOptions): boolean {
  if (one.text === other.text) return true
  const [singular, otherSingular] = [singularOf(one.text), singularOf(other.text)]
  if (singular !== otherSingular) return false
  if (UNITS.has(singular)) return one.isCounted && other.isCounted
  if (isLiteral || numberCounts || one.isCapital || other.isCapital) return false
  return one.the === undefined && other.the === undefined
}

function singularOf(word: string): string {
  if (word.length < 4 || OTHER_WORDS.has(word) || !/^\p{L}+$/u.test(word)) return word
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`
  if (/(?:s|x|z|ch|sh)es$/.test(word)) return word.slice(0, -2)
  return word.replace(/(?<![sui])s$/, '')
}
