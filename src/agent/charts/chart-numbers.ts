import type { Cell, ResultColumn } from '../../clickhouse/warehouse.ts'
import { innerType } from '../citations/result-index.ts'

const NUMBER_TYPE = /^(?:U?Int\d+|Float\d+|BFloat16|Decimal)/
const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i

export function isNumberColumn({ type }: ResultColumn): boolean {
  return NUMBER_TYPE.test(innerType(type))
}

/** A cell as a number to draw: of a UInt64 or Decimal beyond 2^53 the nearest one; null, a gap, for NULL, NaN and infinity. */
export function numberOf(cell: Cell | undefined): number | null {
  const value = typeof cell === 'string' && NUMBER.test(cell) ? Number(cell) : cell
  return typeof value === 'number' && Number.isFinite(value) ? value : null
}
