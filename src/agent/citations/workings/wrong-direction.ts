import { saidDirection } from '../direction.ts'
import type { ResultIndex } from '../result-index.ts'
import { orderInTime } from './order-in-time.ts'
import { type Around, cellOf, endsOf, NOT, ownWords, pairOf, valueAt, type WorkedFigure } from './worked-figure.ts'

const IS_CHANGE = /(?:^|_)(?:change|delta|diff|difference|growth|trend)(?:_|$)/i

/** "Fell by 5 {= x[3] - x[2]}", "rose to 12 {= x[3]}", "fell by 3 % {= change_pct[2]}". */
export function wrongDirection(each: WorkedFigure, around: Around): string | undefined {
  const [before, behind] = ownWords(each, around)
  if (NOT.test(before)) return undefined
  const said = saidDirection(before) || saidDirection(behind.split(ANOTHER_CLAUSE)[0] ?? '')
  if (said === 0) return undefined
  const change = countedChange(each) ?? reachedEnd(each, before, around.results) ?? changeOf(each, around.results)
  if (change === undefined || change === 0 || Math.sign(change) === said) return undefined
  return `${each.figure.text} is a ${change > 0 ? 'rise' : 'fall'} in the rows`
}

/** Where words behind a figure begin to say something else: "fell to 2 % because the total grew". */
const ANOTHER_CLAUSE =
  /[,;.(]|\s(?:because|as|since|while|although|though|whereas|when|after|before|despite|weil|da|während|obwohl|nachdem)\s/iu

/** "Six {= count(change > 0)} grew". */
function countedChange({ expression }: WorkedFigure): number | undefined {
  const [, column, operator, ...rest] = /^(?:Q\d+\.)?count\((?:Q\d+\.)?(\w+)\s*([<>])\s*0\)$/.exec(expression.trim()) ?? []
  if (column === undefined || rest.length > 0 || !IS_CHANGE.test(column)) return undefined
  return operator === '>' ? 1 : -1
}

/** "Rose to 12 {= x[3]}": what is reached by a rise is not the lowest of all. */
function reachedEnd(each: WorkedFigure, before: string, results: readonly ResultIndex[]): number | undefined {
  const cell = cellOf(each, results)
  if (
    cell === undefined ||
    cell.column.key ||
    cell.result.rowCount < 3 ||
    !/\s(?:to|auf)\s(?:\p{L}+\s){0,2}[$€]?$/iu.test(before)
  )
    return undefined
  const { least, most } = endsOf(cell.column)
  const own = cell.column.values[cell.rows[0] ?? 0]
  if (least === most || (own !== least && own !== most)) return undefined
  return own === most ? 1 : -1
}

/** What a figure's working says about a change: of two cells of a column by their times, or of a cell of changes; undefined where it says nothing. */
function changeOf(each: WorkedFigure, results: readonly ResultIndex[]): number | undefined {
  const cell = cellOf(each, results)
  if (cell !== undefined) {
    const values = [...cell.column.values].filter(Number.isFinite)
    // A column without a negative value may hold how much, whichever way.
    return IS_CHANGE.test(cell.column.name) && values.some(value => value < 0) ? cell.column.values[cell.rows[0] ?? 0] : undefined
  }
  const pair = pairOf(each, results)
  if (pair === undefined) return undefined
  const order = orderInTime(pair.result, pair.one, pair.other)
  if (order === 0) return undefined
  const [earlier, later] = order < 0 ? [pair.one, pair.other] : [pair.other, pair.one]
  return valueAt(later) - valueAt(earlier)
}
