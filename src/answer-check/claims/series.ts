import { CHECK_LIMITS } from '../limits.ts'
import type { ResultIndex } from '../rows/result-index.ts'
import { measuredCells, type WorkedFigure } from '../workings/worked-figure.ts'
import type { Operand } from '../workings/worked-part.ts'
import type { WorkBench } from '../workings/working.ts'

/** The values that a working would have in each row, or for each name. `own` holds the indexes that the working itself reads. */
export interface Series {
  readonly values: ArrayLike<number>
  readonly own: readonly number[]
  /** The name of the column, if the working is a cell of this column. */
  readonly column?: string
}

/**
 * Evaluates a working for all rows or names. For a single cell, the values are the whole column. `100 * open[3] / claims[3]` gives one value per row,
 * and `sum(devices, region = 'Europe')` one value per region. Undefined if the working is about no row or name, such as a sum over all rows.
 */
export function* seriesOf(
  each: WorkedFigure,
  results: readonly ResultIndex[],
  bench: WorkBench,
): Generator<void, Series | undefined> {
  const cell = measuredCells(each, results)
  if (cell !== undefined) return { values: cell.column.values, own: cell.rows, column: cell.column.name }
  const cells = each.parts.filter(part => part.isCell)
  const [first] = each.parts
  const result = results.find(({ id }) => id === first?.query)
  if (first === undefined || result === undefined || each.parts.some(part => part.query !== first.query)) return undefined
  const time = each.parts.length === 1 && result.times.find(({ name }) => name.toLowerCase() === first.column?.toLowerCase())
  if (time) return first.isCell ? { values: time.values, own: first.rows, column: time.name } : undefined
  const own = bench.queries.find(query => query.id === first.query)
  function* valuesFor(exchanges: readonly ReadonlyMap<number | string, number | string>[]): Generator<void, number[]> {
    const values: number[] = []
    for (const exchange of exchanges) {
      const outcome = yield* bench.workOut(each.expression, own, exchange)
      values.push('fault' in outcome ? Number.NaN : outcome.value)
    }
    return values
  }
  const rows = [...new Set(cells.flatMap(part => part.rows))]
  const isOfAll = each.parts.every(part => part.isCell || (part.about.length === 0 && part.rows.length === result.rowCount))
  const [row] = rows
  if (isOfAll && rows.length === 1 && row !== undefined && result.rowCount <= CHECK_LIMITS.working.values) {
    const others = Array.from({ length: result.rowCount }, (_, at) => new Map([[row, at]]))
    return { values: yield* valuesFor(others), own: [row] }
  }
  const column = result.numbers.find(({ name }) => cells.every(part => part.column?.toLowerCase() === name.toLowerCase()))
  if (isOfAll && rows.length > 1 && column && isSum(each)) return { values: column.values, own: rows, column: column.name }
  const [name] = each.parts.flatMap(part => part.about)
  if (
    name === undefined ||
    cells.length > 0 ||
    name.others.length >= CHECK_LIMITS.working.values ||
    name.others.length * result.rowCount > CHECK_LIMITS.working.readRows
  )
    return undefined
  return { values: [each.value, ...(yield* valuesFor(name.others.map(other => new Map([[name.name, other]]))))], own: [0] }
}

/** Whether a working neither subtracts nor divides by a cell. */
function isSum({ join }: Operand): boolean {
  if (join === undefined) return true
  const isRatio = join.operator === '/' && join.other.parts.some(part => part.isCell)
  return join.operator !== '-' && !isRatio && isSum(join.one) && isSum(join.other)
}
