import type { Budget } from './budget.ts'
import type { NumberColumn, ResultIndex } from './result-index.ts'
import type { Scope } from './support.ts'

export const MOST_ROWS = 12
export const MOST_GROUP = 400

/** A figure of the sentence that the rows are known to hold, for those that are made from it. */
export interface Stated {
  readonly value: number
  /** Where it stands in the sentence; -1 in one before. */
  readonly at: number
  readonly column: Pick<NumberColumn, 'unit' | 'whole' | 'fraction'>
}

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
  /** Rows that are spoken of together: those of the names before and of those behind the figure ("528 others: A, B and C"), a period, the first three. */
  readonly groups?: readonly Scope[]
  /** The figure is an end of a range, "21 to 39", over these rows. */
  readonly ranged?: readonly Scope[]
  readonly inTable?: boolean
  /** "3 of 7": the figure is what another is a part of. */
  readonly isWhole?: boolean
  /** Other figures of the sentence, and of the one before it. */
  readonly stated: readonly Stated[]
  readonly budget: Budget
  /** What was worked out for another figure of the same sentence. */
  readonly memo: Map<string, unknown>
}

/** Keeps what is costly to work out for the other figures of the sentence. */
export function remembered<Value>({ memo }: Pick<Derivation, 'memo'>, key: string, work: () => Value): Value {
  if (!memo.has(key)) memo.set(key, work())
  return memo.get(key) as Value
}

/** The rows of all names of the sentence. */
export function mentionedRows(result: ResultIndex, given: Pick<Derivation, 'mentions' | 'memo'>): readonly number[] {
  return remembered(given, `named ${result.id} ${given.mentions.length}`, () => rowsOfAll(result, given.mentions))
}

function rowsOfAll(result: ResultIndex, mentions: readonly Scope[]): number[] {
  const rows = new Set<number>()
  for (const mention of mentions) {
    for (const row of (mention.get(result.id) ?? []).slice(0, MOST_GROUP)) rows.add(row)
    if (rows.size > MOST_GROUP) break
  }
  return [...rows]
}

/** "Per 1,000 visitors". */
export function basesIn(wording: string): number[] {
  const base = /(?:per|pro|je)\s(1[.,]?0{1,3}(?:[.,]?0{3})*)(?!\d)/iu.exec(wording)?.[1]
  return base === undefined ? [1] : [1, Number(base.replace(/[.,]/g, ''))]
}

const ENGLISH = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ')
const FRENCH = '- - deux trois quatre cinq six sept huit neuf dix'.split(' ')
const SPANISH = '- - dos tres cuatro cinco seis siete ocho nueve diez'.split(' ')
const GERMAN = 'null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf'.split(' ')

/** "The first two", "these five": groups of rows that a wording counts. */
export function numbersIn(wording: string): number[] {
  return (wording.toLowerCase().match(/(?<![\p{L}\d.,])(?:\d{1,2}|\p{L}+)(?![\d.,]\d)/gu) ?? [])
    .map(word =>
      /^\d/.test(word) ? Number(word) : Math.max(...[ENGLISH, GERMAN, FRENCH, SPANISH].map(names => names.indexOf(word))),
    )
    .filter(count => count > 1)
}
