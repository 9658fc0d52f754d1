/** A word of a question, as questions are compared by it. */
export interface QuestionWord {
  /** In small letters, without the punctuation around it. */
  readonly text: string
  /** Where it stands in the question as it was written, without that punctuation. */
  readonly from: number
  readonly to: number
  /** Where a "the" begins that was left out before it: it may belong to a name. */
  readonly the?: number
  /** It is written with a capital letter, as names are. */
  readonly isCapital: boolean
  /** It stands behind a number, where units of time are counted. */
  readonly isCounted: boolean
}

export interface WordOptions {
  /** Nothing but politeness is left out. */
  readonly isLiteral: boolean
  /** One thing and several of it are not the same. */
  readonly numberCounts?: boolean
}

const ASK_ME = ['tell me', 'show me', 'give me']
/** Said out of politeness at the beginning of a question; docs/domain.md lists them. */
const OPENINGS = phrases([
  ...['please', 'hi', 'hello', 'hey', 'clew', 'do you know', 'i want to know', 'i would like to know', ...ASK_ME],
  ...['can you', 'could you', 'would you'].flatMap(ask => ASK_ME.flatMap(me => [`${ask} ${me}`, `${ask} please ${me}`])),
])
/** The same at its end. */
const CLOSINGS = phrases(['please', 'thanks', 'thank you', 'thx'])
const CONTRACTIONS: ReadonlySet<string> = new Set(['what', 'who', 'where', 'how', 'when'].map(word => `${word}'s`))

/** Signs that mean nothing at the edge of a word. A minus, a percent sign or a tilde means something. */
const BEFORE = /^[("'“”‘’`[¿¡]+/u
const BEHIND = /(?<![)"'“”‘’`\].,;:!?…])[)"'“”‘’`\].,;:!?…]+$/u

/** The words of a question by which it is compared with others: case, punctuation, politeness and "the" make no difference. */
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
/** Words whose s makes another word of them. */
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

/**
 * Whether two words are the same but for the plural. "The customer" is one that was spoken of, "customers" are all; "the last month" is one, "the last months"
 * are more; Williams is somebody else than William: there the plural counts.
 */
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
