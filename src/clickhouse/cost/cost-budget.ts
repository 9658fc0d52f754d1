import type { CostEstimate } from './cost-estimate.ts'
import { describeBytes, describeCost, describeCount } from './describe-cost.ts'

/** What a query may read without anybody being asked; 0 is no limit. */
export interface CostBudget {
  readonly maxRows: number
  /** Uncompressed. */
  readonly maxBytes: number
}

/** What is too much about a query, as the end of "it …": "would read about 1.2 TB (4.1 billion rows) of `events`; allowed are 50 GB". Null within the budget. */
export function overBudget(estimate: CostEstimate, { maxRows, maxBytes }: CostBudget): string | null {
  const isOver = (value: number, limit: number) => limit > 0 && value > limit
  const allowed = [
    ...(isOver(estimate.bytes, maxBytes) ? [describeBytes(maxBytes)] : []),
    ...(isOver(estimate.rows, maxRows) ? [`${describeCount(maxRows)} rows`] : []),
  ]
  if (allowed.length > 0) return `would read ${describeCost(estimate)}; allowed are ${allowed.join(' and ')}`
  if (!isOver(estimate.joinedRows, maxRows)) return null
  return `would make about ${describeCount(estimate.joinedRows)} rows by joining tables without a condition; allowed are ${describeCount(maxRows)} rows`
}
