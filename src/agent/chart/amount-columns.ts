import { isKeyName } from '../../answer-check/rows/key-name.ts'
import type { QueryReport } from '../run/result.ts'
import { drawnNumber, isNumberColumn } from './numbers.ts'

/**
 * Matches the names of columns whose numbers identify something, such as an order number or a year of construction. Such numbers
 * must not be added up.
 */
const NAME_OF_ROW =
  /(?:^|_)(?:key|number|no|nr|kennung|monat|quartal|woche|tag|stunde|phone|telefon)$|(?:nummer|jahr|jahrgang)$|year_of/

/**
 * Returns the positions of the columns with amounts: the chart's values, and other numbers, except those that identify a row
 * (years, ids, codes).
 */
export function amountColumns({ columns, rows, chart }: Pick<QueryReport, 'columns' | 'rows' | 'chart'>): ReadonlySet<number> {
  const isAmount = (name: string, position: number) => {
    if (chart?.values.includes(name)) return true
    if (chart?.label === name || chart?.series === name) return false
    return !isKeyName(name) && !NAME_OF_ROW.test(name.toLowerCase()) ? true : rows.some(cells => isFraction(cells[position]))
  }
  return new Set(
    columns.flatMap((column, position) => (isNumberColumn(column) && isAmount(column.name, position) ? [position] : [])),
  )
}

function isFraction(cell: Parameters<typeof drawnNumber>[0]): boolean {
  const number = drawnNumber(cell)
  return number !== null && !Number.isInteger(number)
}
