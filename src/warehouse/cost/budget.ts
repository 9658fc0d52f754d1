import { answerWords } from '../../words/answer.ts'
import type { Language } from '../../words/language.ts'
import { describeBytes, describeCost, describeCount } from './describe-cost.ts'
import type { CostEstimate } from './estimate.ts'

/** The most that a query is allowed to read before the asker must confirm it. 0 means no limit. */
export interface CostBudget {
  readonly maxRows: number
  /** The limit in uncompressed bytes. */
  readonly maxBytes: number
}

/**
 * Describes how an estimate exceeds a budget, for a sentence that begins with "it": "would read about 1.2 TB (4.1 billion rows)
 * of `events`; allowed are 50 GB". Returns null if the estimate is within the budget.
 */
export function overBudget(estimate: CostEstimate, { maxRows, maxBytes }: CostBudget, language: Language = 'en'): string | null {
  const words = answerWords(language)
  const isOver = (value: number, limit: number) => limit > 0 && value > limit
  const allowed = [
    ...(isOver(estimate.bytes, maxBytes) ? [describeBytes(maxBytes, language)] : []),
    ...(isOver(estimate.rows, maxRows) ? [words.countedRows(describeCount(maxRows, language))] : []),
  ]
  if (allowed.length > 0) return words.wouldRead(describeCost(estimate, language), allowed)
  if (!isOver(estimate.joinedRows, maxRows)) return null
  return words.wouldMake(describeCount(estimate.joinedRows, language), describeCount(maxRows, language))
}
