import type { Language } from '../../words/language.ts'
import type { CheckedQuery } from '../checked-query.ts'
import type { ResultIndex } from '../rows/result-index.ts'

/** The facts from which formulas and tables are written. */
export interface FormulaSource {
  readonly queries: readonly CheckedQuery[]
  readonly results: readonly ResultIndex[]
  /** The queries that the unit cites. A formula reads only these. Empty if the unit cites none. */
  readonly cited: readonly string[]
  readonly language: Language
}

/** The form of a formula's value: a number of decimals, hours and minutes, or a word. */
export type Hint = 0 | 1 | 2 | 3 | 'h min' | 'word'

/** A formula of an answer: `100 * users / sum(users): 1`. */
export interface Formula {
  readonly expression: string
  readonly hint?: Hint
}

const HINT = /:\s?([0-3]|h min|word)$/

/** Splits a formula from the hint at its end. */
export function readFormula(inner: string): Formula {
  const text = inner.trim()
  const [whole = '', hint] = HINT.exec(text) ?? []
  const expression = text.slice(0, text.length - whole.length).trim()
  return hint === undefined ? { expression } : { expression, hint: (/\d/.test(hint) ? Number(hint) : hint) as Hint }
}
