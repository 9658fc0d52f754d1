import type { Budget } from '../budget.ts'
import { CHECK_LIMITS } from '../limits.ts'
import type { NumberColumn, ResultIndex } from '../rows/result-index.ts'
import type { Scope } from '../support.ts'

/** A figure of the text that the rows support. Other figures may be derived from it. */
export interface Stated {
  readonly value: number
  /** The figure's offset in the sentence, or -1 if it stands in an earlier sentence. */
  readonly at: number
  readonly column: Pick<NumberColumn, 'unit' | 'whole' | 'fraction'>
}

/** The context of a figure. It decides how the figure may be derived. */
export interface Derivation {
  readonly results: readonly ResultIndex[]
  /** The words that may announce a derivation: the words of the sentence, or of a table column's header. */
  readonly wording: string
  /** The rows that the figure describes. */
  readonly scope: Scope
  /** The rows of each name in the sentence. */
  readonly mentions: readonly Scope[]
  readonly totals: boolean
  /** The wording binds the figure to one name, so the figure is no sum over other names. */
  readonly tight?: boolean
  /** +1 if the sentence says that the figure's subject rose, -1 if it fell. */
  readonly direction: 1 | -1 | 0
  /** The words beside the figure, which may name the column. */
  readonly words: readonly string[]
  /** Groups of rows that the sentence mentions: the names before or behind the figure ("528 others: A, B and C"), a period, the first three. */
  readonly groups?: readonly Scope[]
  /** The rows that a range covers. Set if the figure is an end or the width of this range. */
  readonly ranged?: readonly Scope[]
  readonly inTable?: boolean
  /** The figure is the whole that a part belongs to: the 7 in "3 of 7". */
  readonly isWhole?: boolean
  /** The supported figures of this sentence and of the sentence before. */
  readonly stated: readonly Stated[]
  readonly budget: Budget
  /** A cache for work that all figures of the sentence share. */
  readonly memo: Map<string, unknown>
}

/** Returns the cached result of costly work that all figures of a sentence share. */
export function remembered<Value>({ memo }: Pick<Derivation, 'memo'>, key: string, work: () => Value): Value {
  if (!memo.has(key)) memo.set(key, work())
  return memo.get(key) as Value
}

/** Returns the rows of all names in the sentence. */
export function mentionedRows(result: ResultIndex, given: Pick<Derivation, 'mentions' | 'memo'>): readonly number[] {
  return remembered(given, `named ${result.id} ${given.mentions.length}`, () => rowsOfAll(result, given.mentions))
}

function rowsOfAll(result: ResultIndex, mentions: readonly Scope[]): number[] {
  const rows = new Set<number>()
  for (const mention of mentions) {
    for (const row of (mention.get(result.id) ?? []).slice(0, CHECK_LIMITS.derive.groupRows)) rows.add(row)
    if (rows.size > CHECK_LIMITS.derive.groupRows) break
  }
  return [...rows]
}

/** Returns the possible bases of a rate: always 1, and 1,000 for "per 1,000 visitors". */
export function basesIn(wording: string): number[] {
  const base = /(?:per|pro|je)\s(1[.,]?0{1,3}(?:[.,]?0{3})*)(?!\d)/iu.exec(wording)?.[1]
  return base === undefined ? [1] : [1, Number(base.replace(/[.,]/g, ''))]
}

const ENGLISH = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ')
const FRENCH = '- - deux trois quatre cinq six sept huit neuf dix'.split(' ')
const SPANISH = '- - dos tres cuatro cinco seis siete ocho nueve diez'.split(' ')
const GERMAN = 'null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf'.split(' ')

/** Returns the numbers above one in a wording: 2 for "the first two", 5 for "these five". */
export function numbersIn(wording: string): number[] {
  return (wording.toLowerCase().match(/(?<![\p{L}\d.,])(?:\d{1,2}|\p{L}+)(?![\d.,]\d)/gu) ?? [])
    .map(word =>
      /^\d/.test(word) ? Number(word) : Math.max(...[ENGLISH, GERMAN, FRENCH, SPANISH].map(names => names.indexOf(word))),
    )
    .filter(count => count > 1)
}
