import { z } from 'zod'
import { onOneLine, sqlLiteral } from '../catalog/plain-text.ts'

const NAME_CHARACTERS = 200

/** A constant of a filter that no row has. */
const missingValueSchema = z.object({
  value: z.string(),
  /** The same without the wildcards of a pattern, where it has any. */
  name: z.string().optional(),
  /** Another condition beside it, in OR or in a list, is met by some rows. */
  has_alternative: z.boolean().optional(),
  /** Values that the column has and that may have been meant, nearest first. */
  near: z.array(z.string()).readonly(),
  /** Every value of the column, where there are few and none is near. */
  all: z.array(z.string()).readonly(),
  /** Other columns that have the value, perhaps in another case, `database.table.column`; none where this one has it so. */
  elsewhere: z.array(z.string()).readonly(),
})

/** What a table holds of a column that a query filters on. Counts are decimal digits. */
export const filterFindingSchema = z.object({
  /** `database.table.column`. */
  column: z.string(),
  /** The filter in SQL's words, cut where it is long. */
  condition: z.string(),
  /** Rows that meet this filter alone; null where they could not be counted. */
  matching: z.string().nullable(),
  /** Rows of the table; null likewise. */
  rows: z.string().nullable(),
  /** The column's extremes, of numbers and times; times in UTC. */
  range: z.object({ min: z.string(), max: z.string() }).nullable(),
  missing: z.array(missingValueSchema).readonly(),
  /** Where the column is joined to another: how many different values it has, and how many of them the other one has too. */
  joined: z.object({ column: z.string(), different: z.string(), shared: z.string() }).optional(),
})

export type FilterFinding = z.infer<typeof filterFindingSchema>
export type MissingValue = z.infer<typeof missingValueSchema>

/** A finding as a line of text for a model. */
export function describeFinding({ column, condition, matching, rows, range, missing, joined }: FilterFinding): string {
  if (joined !== undefined) {
    const [left, right] = [column, joined.column].map(name => onOneLine(name, NAME_CHARACTERS))
    return `${left} is joined to ${right}, which has ${joined.shared} of its ${joined.different} different values.`
  }
  const counted =
    rows === '0'
      ? 'the table has no rows at all'
      : matching === null
        ? 'was not counted'
        : `alone is met by ${matching} of the ${rows ?? '?'} rows of its table`
  const values = range === null ? '' : `; values run from ${range.min} to ${range.max}`
  return `${onOneLine(column, NAME_CHARACTERS)}: the filter ${condition} ${counted}${values}.${missing.map(describeMissing).join('')}`
}

function describeMissing({ value, near, all, elsewhere }: MissingValue): string {
  const others =
    elsewhere.length === 0
      ? ''
      : ` It is, perhaps in another case, a value of ${elsewhere.map(name => onOneLine(name, NAME_CHARACTERS)).join(', ')}.`
  const known =
    near.length > 0
      ? ` The nearest values that do are ${near.map(sqlLiteral).join(', ')}.`
      : all.length > 0
        ? ` None is near; all values are ${all.map(sqlLiteral).join(', ')}.`
        : ' No near value was found.'
  return ` ${sqlLiteral(value)} does not occur in it.${known}${others}`
}
