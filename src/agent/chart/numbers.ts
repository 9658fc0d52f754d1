import { innerType } from '../../answer-check/rows/result-index.ts'
import type { Cell, ResultColumn } from '../../warehouse/warehouse.ts'

const NUMBER_TYPE = /^(?:U?Int\d+|Float\d+|BFloat16|Decimal)/
const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i

export function isNumberColumn({ type }: ResultColumn): boolean {
  return NUMBER_TYPE.test(innerType(type))
}

/**
 * Returns the number to draw for a cell. Numbers beyond 2^53 are rounded. NULL, NaN and infinity become null, which is drawn as a
 * gap.
 */
export function drawnNumber(cell: Cell | undefined): number | null {
  const value = typeof cell === 'string' && NUMBER.test(cell) ? Number(cell) : cell
  return typeof value === 'number' && Number.isFinite(value) ? value : null
}
