import { z } from 'zod'
import { CATALOG_ANSWER_LIMITS } from './limits.ts'
import { onOneLine, sqlLiteral } from './sql/plain-text.ts'

/** A constant of a filter that occurs in no row, such as `'Activated'` in `status = 'Activated'` if the data say `'active'`. */
const missingValueSchema = z.object({
  value: z.string(),
  /** For a LIKE pattern: the value without its wildcards. */
  name: z.string().optional(),
  /** True if the filter still matches some rows, because of another branch of an `OR` or another value of an `IN` list. */
  has_alternative: z.boolean().optional(),
  /** Values of the column that are similar to the missing one, nearest first. */
  near: z.array(z.string()).readonly(),
  /** All values of the column. Filled only if there are few values and none is similar to the missing one. */
  all: z.array(z.string()).readonly(),
  /**
   * Other columns that contain the missing value in any upper and lower case, as `database.table.column`. Empty if the filtered
   * column itself contains it in another case.
   */
  elsewhere: z.array(z.string()).readonly(),
})

/** Facts about a column in a query's filter. Counts are strings of digits, because they may exceed a JavaScript number. */
export const filterFindingSchema = z.object({
  /** The column, as `database.table.column`. */
  column: z.string(),
  /** The filter as SQL. A long filter is cut. */
  condition: z.string(),
  /** The number of rows that match this filter alone, without the query's other filters. Null if they could not be counted. */
  matching: z.string().nullable(),
  /** The number of all rows in the column's table. Null if they could not be counted. */
  rows: z.string().nullable(),
  /** The minimum and maximum of a number or time column. Times are in UTC. Null for other columns. */
  range: z.object({ min: z.string(), max: z.string() }).nullable(),
  missing: z.array(missingValueSchema).readonly(),
  /**
   * Only for a column that is joined to another one. `different` is the number of distinct values in `column`. `shared` is how
   * many of them the other column also has.
   */
  joined: z.object({ column: z.string(), different: z.string(), shared: z.string() }).optional(),
})

export type FilterFinding = z.infer<typeof filterFindingSchema>
export type MissingValue = z.infer<typeof missingValueSchema>

/** Describes a finding in one line of text for a model. */
export function describeFinding({ column, condition, matching, rows, range, missing, joined }: FilterFinding): string {
  if (joined !== undefined) {
    const [left, right] = [column, joined.column].map(name => onOneLine(name, CATALOG_ANSWER_LIMITS.filterNameCharacters))
    return `${left} is joined to ${right}, which has ${joined.shared} of its ${joined.different} different values.`
  }
  const counted =
    rows === '0'
      ? 'the table has no rows at all'
      : matching === null
        ? 'was not counted'
        : `alone is met by ${matching} of the ${rows ?? '?'} rows of its table`
  const values = range === null ? '' : `; values run from ${range.min} to ${range.max}`
  return `${onOneLine(column, CATALOG_ANSWER_LIMITS.filterNameCharacters)}: the filter ${condition} ${counted}${values}.${missing.map(describeMissing).join('')}`
}

function describeMissing({ value, near, all, elsewhere }: MissingValue): string {
  const others =
    elsewhere.length === 0
      ? ''
      : ` It is, perhaps in another case, a value of ${elsewhere.map(name => onOneLine(name, CATALOG_ANSWER_LIMITS.filterNameCharacters)).join(', ')}.`
  const known =
    near.length > 0
      ? ` The nearest values that do are ${near.map(sqlLiteral).join(', ')}.`
      : all.length > 0
        ? ` None is near; all values are ${all.map(sqlLiteral).join(', ')}.`
        : ' No near value was found.'
  return ` ${sqlLiteral(value)} does not occur in it.${known}${others}`
}
