import type { Budget } from '../budget.ts'
import { CHECK_LIMITS } from '../limits.ts'
import type { NumberColumn, ResultIndex } from '../rows/result-index.ts'
import type { Scope } from '../support.ts'

/** A figure of the text that the rows support. Other figures may be derived from it. */
export interface Stated {
  readonly value: number
  /** Its offset in the sentence, or -1 for an earlier sentence. */
  readonly at: number
  readonly column: Pick<NumberColumn, 'unit' | 'whole' | 'fraction'>
}

/** The context of a figure. It decides which derivations the sentence announces. */
export interface Derivation {
  readonly results: readonly ResultIndex[]
  /** Words that may announce a derivation: the sentence, or a table column's header. */
  readonly wording: string
  /** Rows that the figure describes. */
  readonly scope: Scope
  /** Rows of each name in the sentence. */
  readonly mentions: readonly Scope[]
  readonly totals: boolean
  /** The figure is bound to its name, so it is no sum over others. */
  readonly tight?: boolean
  /** +1 if the sentence says that it rose, -1 if it fell. */
  readonly direction: 1 | -1 | 0
  /** Words beside the figure. They may name the column. */
  readonly words: readonly string[]
  /** Rows mentioned as a group: the names before or behind the figure ("528 others: A, B and C"), a period, the first three. */
  readonly groups?: readonly Scope[]
  /** Set if the figure is one end of a range over these rows: "21 to 39". */
  readonly ranged?: readonly Scope[]
  readonly inTable?: boolean
  /** The figure is the whole of a part: the 7 in "3 of 7". */
  readonly isWhole?: boolean
  /** Supported figures of this sentence and the one before. */
  readonly stated: readonly Stated[]
  readonly budget: Budget
  /** Cached work for all figures of the sentence. */
  readonly memo: Map<string, unknown>
}

/** Caches costly work for the other figures of the sentence. */
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

/** Finds the base of a rate: "per 1,000 visitors". */
export function basesIn(wording: string): number[] {
  const base = /(?:per|pro|je)\s(1[.,]?0{1,3}(?:[.,]?0{3})*)(?!\d)/iu.exec(wording)?.[1]
  return base === undefined ? [1] : [1, Number(base.replace(/[.,]/g, ''))]
}

const ENGLISH = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ')
const FRENCH = '- - deux trois quatre cinq six sept huit neuf dix'.split(' ')
const SPANISH = '- - dos tres cuatro cinco seis siete ocho nueve diez'.split(' ')
const GERMAN = 'null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf'.split(' ')

/** Finds group sizes in a wording: "the first two", "these five". */
export function numbersIn(wording: string): number[] {
  return (wording.toLowerCase().match(/(?<![\p{L}\d.,])(?:\d{1,2}|\p{L}+)(?![\d.,]\d)/gu) ?? [])
    .map(word =>
      /^\d/.test(word) ? Number(word) : Math.max(...[ENGLISH, GERMAN, FRENCH, SPANISH].map(names => names.indexOf(word))),
    )
    .filter(count => count > 1)
}
