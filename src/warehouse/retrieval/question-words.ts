import { RETRIEVAL_LIMITS } from '../limits.ts'
import type { Lexicon } from './lexicon.ts'
import { isCommon, isWeak, splitWords, stem } from './words.ts'

/**
 * One concept of a question, such as "revenue" with its synonyms. Each key is the number of an index word that may express the
 * concept. Its value, from 0 to 1, says how sure this is.
 */
export type Concept = ReadonlyMap<number, number>

export interface Vocabulary {
  numberOf(word: string): number | undefined
  /** Returns words of the index that differ from this word by one typing error. */
  near(word: string): readonly string[]
}

/**
 * How sure it is that an index word expresses a word of the question. The same word has 1. A synonym has `meaning`, or the higher
 * `onlyMeaning` if no table contains the word itself. `slip` is for a typing error, `part` for a part of a compound.
 */
const SURENESS = { meaning: 0.55, onlyMeaning: 0.8, slip: 0.8, part: 0.8, weak: 0.3, place: 0.3 } as const
/** Columns of these names may contain a proper name from the question, such as a city. */
const PLACE = ['city', 'site', 'country', 'region', 'location', 'name']

/**
 * Turns a question into concepts. Each concept also includes synonyms. Typing errors are corrected, and compounds such as
 * `Kundenumsatz` are split.
 */
export function conceptsOf(text: string, vocabulary: Vocabulary, lexicon: Lexicon): readonly Concept[] {
  const words = [...new Set(splitWords(text))].slice(0, RETRIEVAL_LIMITS.questionWords)
  const concepts = new Map<string, Concept>()
  words.forEach((word, at) => {
    const next = words[at + 1]
    // Two words of the question may be one word in the catalog: "help desk" may mean `helpdesk`.
    const joined = next === undefined ? '' : stem(word + next)
    if (joined.length > 5 && isKnown(joined, vocabulary, lexicon)) concepts.set(joined, conceptOf(joined, 1, vocabulary, lexicon))
    if (isCommon(word) || (word.length < 2 && !/\d/.test(word))) return
    const own = stem(word)
    if (concepts.has(own)) return
    for (const { word: meant, sureness } of meantWords(word, own, vocabulary, lexicon)) {
      // After a number, a unit of time is only a period ("24 hours"), so it gets a low weight. Otherwise it may be the subject
      // ("hours worked").
      const weak =
        isWeak(word) || (/^\d+$/.test(words[at - 1] ?? '') && /^(hours?|minutes?|stunden?|minuten?|heures?)$/.test(word))
      if (!concepts.has(meant)) concepts.set(meant, conceptOf(meant, weak ? SURENESS.weak : sureness, vocabulary, lexicon))
    }
  })
  if (namesPlace(text, vocabulary, lexicon)) concepts.set('', conceptOfWords(PLACE, SURENESS.place, vocabulary))
  return [...concepts.values()].filter(concept => concept.size > 0)
}

function meantWords(
  word: string,
  own: string,
  vocabulary: Vocabulary,
  lexicon: Lexicon,
): readonly { readonly word: string; readonly sureness: number }[] {
  if (isKnown(own, vocabulary, lexicon) || /\d/.test(word)) return [{ word: own, sureness: 1 }]
  const parts = compoundParts(word, vocabulary, lexicon)
  if (parts.length > 0) return parts.map(part => ({ word: part, sureness: SURENESS.part }))
  return vocabulary.near(own).map(near => ({ word: near, sureness: SURENESS.slip }))
}

/**
 * Whether a text contains a proper name, such as "Lisbon", that is not a word of the catalog. It is probably a value in some
 * column of places, persons or things.
 */
function namesPlace(text: string, vocabulary: Vocabulary, lexicon: Lexicon): boolean {
  return [...text.matchAll(/(?<=[\p{Ll}\p{N},] )\p{Lu}\p{Ll}{2,}/gu)].some(([name]) =>
    splitWords(name).every(word => !isCommon(word) && !isWeak(word) && !isKnown(stem(word), vocabulary, lexicon)),
  )
}

function conceptOfWords(words: readonly string[], sureness: number, vocabulary: Vocabulary): Concept {
  const numbers = words.flatMap(word => vocabulary.numberOf(stem(word)) ?? [])
  return new Map(numbers.map(number => [number, sureness]))
}

function isKnown(word: string, vocabulary: Vocabulary, lexicon: Lexicon): boolean {
  return vocabulary.numberOf(word) !== undefined || lexicon.meaningsOf(word) !== undefined
}

function conceptOf(word: string, sureness: number, vocabulary: Vocabulary, lexicon: Lexicon): Concept {
  const concept = new Map<number, number>()
  const own = vocabulary.numberOf(word)
  const worth = own === undefined ? SURENESS.onlyMeaning : SURENESS.meaning
  for (const meaning of lexicon.meaningsOf(word) ?? []) {
    const number = vocabulary.numberOf(meaning)
    if (number !== undefined) concept.set(number, sureness * worth)
  }
  if (own !== undefined) concept.set(own, sureness)
  return concept
}

/**
 * Splits a compound word into two known words, such as `Kundenumsatz` into `Kunden` and `Umsatz`. Returns the stems of both.
 * Returns an empty array if this is not possible.
 */
function compoundParts(word: string, vocabulary: Vocabulary, lexicon: Lexicon): readonly string[] {
  if (word.length > RETRIEVAL_LIMITS.compoundCharacters) return []
  for (let cut = word.length - RETRIEVAL_LIMITS.compoundPartCharacters; cut >= RETRIEVAL_LIMITS.compoundPartCharacters; cut--) {
    const head = word.slice(0, cut)
    const tail = stem(word.slice(cut))
    if (!isKnown(tail, vocabulary, lexicon)) continue
    const known = [head, head.replace(/(s|n|en|er|e)$/, '')]
      .map(stem)
      .find(part => part.length > 2 && isKnown(part, vocabulary, lexicon))
    if (known !== undefined) return [known, tail]
  }
  return []
}
