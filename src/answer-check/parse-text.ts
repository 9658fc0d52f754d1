import type { Figure, TextRange } from './figures/figure.ts'
import { parseFigures } from './figures/figures.ts'
import { isUnitOfFigure } from './figures/unit-of-figure.ts'
import { COUNTED_LOOSELY } from './figures/wording.ts'
import type { GivenFigures } from './given-figures.ts'
import { findNames, type Mention } from './mentions.ts'
import { digitsOf, type Proven, provenBy } from './proven-figure.ts'
import { findKeys } from './rows/keys.ts'
import type { ResultIndex } from './rows/result-index.ts'
import type { Match } from './support.ts'
import { textBefore } from './text-before.ts'

/** The facts that a text is checked against. */
export interface Grounds extends Proven {
  readonly results: readonly ResultIndex[]
  readonly given: GivenFigures
  /** In lower case: the question, the data questions, the SQL, the assumptions and the column names. */
  readonly known: string
  readonly question: string
  /** The question and the answer's first sentence. Their language tells the decimal mark. */
  readonly language: string
  readonly zones: readonly string[]
}

export interface Parsed {
  readonly text: string
  readonly mentions: readonly Mention[]
  readonly figures: readonly Figure[]
  /** All figures of the text, including those in the names of rows and places. */
  readonly written: readonly Figure[]
  /** The numbers of rows or things that the lines before mention or show. */
  readonly sizes?: ReadonlySet<number>
  /** The headers of the table, if the text is one of its rows. */
  readonly headers?: readonly string[]
}

/** A text, and what its figures without workings show. */
export interface CheckedText {
  readonly parsed: Parsed
  readonly grounds: Grounds
  /** The cells that each supported figure shows. Empty for a figure that counts rows, or that was known before. */
  readonly shown: ReadonlyMap<Figure, readonly Match[]>
}

export function parseText(text: string, grounds: Grounds, inCell = false): Parsed {
  const names = findNames(text, grounds.results, inCell).filter(name => !isUnitOfFigure(name, text, grounds.results))
  const quoted = [...text.matchAll(/`[^`]*`/g)].map(match => ({ start: match.index, end: match.index + match[0].length }))
  const unquoted = quoted.filter(span => !/^`[\d\s.,:%+-]*`$/.test(text.slice(span.start, span.end)))
  const figures = parseFigures(text, [...names, ...unquoted, ...knownCodes(text, grounds.known)], `${grounds.language} ${text}`)
  // A number that its working takes from another row, or that a formula counts, is not the name of a row.
  const keys = findKeys(text, figures, grounds.results, grounds.zones).filter(key => {
    const figure = figures.find(({ start, date }) => start === key.start && date === undefined)
    const shown = figure && provenBy(figure, figures, grounds)
    return shown === undefined || shown.some(({ query, row }) => (key.bounds ?? key.rows).get(query)?.includes(row))
  })
  return {
    text,
    written: figures,
    mentions: [...names, ...keys].sort((one, other) => one.start - other.start),
    figures: figures.filter(
      figure =>
        !keys.some(key => key.start === figure.start) &&
        !figure.ordinal &&
        (provenBy(figure, figures, grounds) !== undefined || !(isLoose(figure, text) || isPartOfUnit(figure, text))),
    ),
  }
}

/** Finds codes and versions that the question or the SQL contains: `HC-700`, "version 6.0". Their digits are not checked as figures. */
function knownCodes(text: string, known: string): TextRange[] {
  const codes = [...text.matchAll(/(?<![\p{L}\p{N}])[\p{L}\p{N}]+(?:[-_/.:][\p{L}\p{N}]+)+/gu)].filter(
    ([code]) => /\p{N}/u.test(code) && /\p{L}/u.test(code) && known.includes(code.toLowerCase()),
  )
  const versions = [...text.matchAll(VERSION)].filter(
    ([number, word = '']) => known.includes(`${word} ${number}`.toLowerCase()) || known.includes(`'${number}'`),
  )
  return [...codes, ...versions].map(match => ({ start: match.index, end: match.index + match[0].length }))
}

const VERSION = /(?<=(?<!\p{L})(\p{L}{3,})\s)\d+(?:\.\d+)+(?![.,]?\d|\s?%)/gu
const PER = /(?<!\p{L})(?:per|pro|je|every|each|pour|par|por|cada|ogni)\s$/iu
/** Matches words that refer to things mentioned before, as in "the two", "all four" and "die beiden". */
const SAID_BEFORE =
  /(?:^|[\s(„“"])(?:the|these|those|all|all of the|of the|both|the other|der|die|das|den|dem|des|diese[rnsm]?|alle[nr]?|jene[rn]?|les|ces|des|aux|los|las|estos|estas|esos|esas|gli|le|i|questi|queste|os|as|estes|estas|de|deze|die|alle|disse|dessa|de her|te|tych)\s$/iu

/** Matches the words before a number of things that were mentioned before, such as "Those are" in "Those are four of 11". */
const THOSE_ARE = /^[\s(„“"]*(?:those|these|they|that|das|dies|diese)\s(?:are|were|is|make|sind|waren)\s$/iu

/** Whether the figure is the base of a unit: the 1000 of "3.84 USD per 1000 streams" and of "2,3 je 1000". */
export function isPartOfUnit(figure: Figure, text: string): boolean {
  return PER.test(textBefore(text, figure.start)) && /^1(?:0|[.,'’\u00a0\u202f ]000)+$/.test(digitsOf(figure.text))
}

/** Whether an article or a word such as "all" stands before a figure, so that it counts known things: "the nine", "all ten". */
export function followsArticle({ start }: Figure, text: string): boolean {
  return SAID_BEFORE.test(textBefore(text, start))
}

/** Whether a number word refers to things mentioned before: "the two", "all four", "these three". */
export function isSaidBefore(figure: Figure, text: string): boolean {
  return figure.word === 'count' && (followsArticle(figure, text) || THOSE_ARE.test(text.slice(0, figure.start)))
}

/** Whether a number word counts nothing in the rows. Such a number is not checked. */
function isLoose(figure: Figure, text: string): boolean {
  if (figure.word === undefined) return false
  if (figure.word === 'count' && (figure.readings[0]?.value === 1 || /^b/i.test(figure.text))) return true
  // "Nine in ten" and "one in six" are rough shares, which are not checked.
  if (/^(?:ten|zehn)$/i.test(figure.text) && /\p{L}\s(?:in|out of|von)\s$/iu.test(textBefore(text, figure.start))) return true
  if (isSaidBefore(figure, text)) return true
  if (/^twice$/i.test(figure.text) && !/^\s(?:as|the|that|what|those|its)(?!\p{L})/u.test(text.slice(figure.end))) return true
  if (/(?:first|second|other|erste|zweite|one (?:\p{L}+ )?in)\s+$/iu.test(textBefore(text, figure.start))) return true
  return COUNTED_LOOSELY.test(text.slice(figure.end))
}
