import type { UnexplainedQuery } from '../../run-result.ts'
import { normalName } from '../name-index.ts'
import { type Condition, cellOf, meets, wantedOf } from './working-condition.ts'
import { WorkingFault } from './working-fault.ts'

/** How a working says which row it means: by numbers from 1 on, by a text that stands in it, by a condition. */
export type RowPick = { readonly from: number; readonly to: number } | { readonly text: string } | Condition

/**
 * The rows of a result that a working picks: those with these numbers, or those that hold all of the texts and meet all of the conditions.
 * Beside a text or a condition a number is no place but a cell's value. Nothing picked means the only row.
 */
export function rowsPicked(query: UnexplainedQuery, picks: readonly RowPick[]): number[] {
  if (picks.length === 0) {
    if (query.rows.length !== 1) throw new WorkingFault(`${query.id} has ${query.rows.length} rows, and the working names none`)
    return [0]
  }
  if (picks.every(pick => 'from' in pick)) return picks.flatMap(pick => placesOf(query, pick))
  return query.rows.flatMap((row, at) =>
    picks.every(pick => {
      if ('operator' in pick) return meets(cellOf(query, row, pick.column), pick, wantedOf(query, row, pick))
      const wanted = 'text' in pick ? normalName(pick.text) : String(pick.from)
      // What has no name is NULL as often as it is ''.
      if (wanted === '' && row[nameColumn(query)] === null) return true
      return row.some(cell => cell !== null && typeof cell !== 'object' && normalName(String(cell)) === wanted)
    })
      ? [at]
      : [],
  )
}

/** The position of the first column of texts, which holds the names of the rows; -1 where there is none. */
function nameColumn({ columns }: UnexplainedQuery): number {
  return columns.findIndex(({ type }) => /^(?:LowCardinality\()?(?:Nullable\()?(?:String|FixedString|Enum)/.test(type))
}

export function rowsMeeting(query: UnexplainedQuery, conditions: readonly Condition[]): number[] {
  return conditions.length === 0 ? query.rows.map((_, at) => at) : rowsPicked(query, conditions)
}

function placesOf(query: UnexplainedQuery, { from, to }: { readonly from: number; readonly to: number }): number[] {
  if (!(from >= 1 && from <= to && to <= query.rows.length))
    throw new WorkingFault(`${query.id} has ${query.rows.length} rows, none with the number ${from >= 1 ? to : from}`)
  return Array.from({ length: to - from + 1 }, (_, at) => from - 1 + at)
}
