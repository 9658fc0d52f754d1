import type { Figure } from './figures.ts'
import { conversions, fits } from './fits.ts'
import type { NumberColumn, ResultIndex } from './result-index.ts'
import type { Scope } from './support.ts'

export const MOST_ROWS = 12

export const MOST_GROUP = 400

/** What a sentence says beside its figures, for deciding which derivations it announces. */
export interface Derivation {
  readonly results: readonly ResultIndex[]
  /** The wording that announces a derivation: the sentence, and for a table's cell its header. */
  readonly wording: string
  /** Rows of what the figure is said of. */
  readonly scope: Scope
  /** Rows of each name in the sentence. */
  readonly mentions: readonly Scope[]
  readonly totals: boolean
  /** The figure belongs to its name for certain, so it is no sum over others. */
  readonly tight?: boolean
  /** +1 or -1 where the sentence says that it rose or fell. */
  readonly direction: 1 | -1 | 0
  /** The words beside the figure, which may tell the column. */
  readonly words: readonly string[]
  /** Rows of the names before and behind the figure: "528 others: A, B and C". */
  readonly groups?: readonly Scope[]
  readonly inTable?: boolean
  /** "3 of 7": the figure is what another is a part of. */
  readonly isWhole?: boolean
}

export function shows(value: number, column: NumberColumn, figure: Figure): boolean {
  const sign = figure.sign === -1 ? -1 : 1
  return conversions(figure, column).some(factor => fits(value * factor * sign, figure))
}

export function mentionedRows(result: ResultIndex, given: Pick<Derivation, 'mentions'>): number[] {
  const rows = new Set<number>()
  for (const mention of given.mentions) for (const row of (mention.get(result.id) ?? []).slice(0, MOST_GROUP)) rows.add(row)
  return [...rows]
}

/** "Per 1,000 visitors". */
export function basesIn(wording: string): number[] {
  const base = /(?:per|pro|je)\s(1[.,]?0{1,3}(?:[.,]?0{3})*)(?!\d)/iu.exec(wording)?.[1]
  return base === undefined ? [1] : [1, Number(base.replace(/[.,]/g, ''))]
}

export function numbersIn(wording: string): number[] {
  const words = 'zero one two three four five six seven eight nine ten'.split(' ')
  const german = 'null eins zwei drei vier fünf sechs sieben acht neun zehn'.split(' ')
  return (wording.toLowerCase().match(/(?<![\p{L}\d.,])(?:\d{1,2}|\p{L}+)(?![\d.,]\d)/gu) ?? []).map(word =>
    /^\d/.test(word) ? Number(word) : Math.max(words.indexOf(word), german.indexOf(word)),
  )
}
