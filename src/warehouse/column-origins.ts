import { z } from 'zod'
import { ANY_COLUMN, type PrivateColumnTest } from './private-columns.ts'

/**
 * Columns of tables that no pipeline fills. Each is `[database, table, column, hasParts]`, where `hasParts` is true for JSON,
 * tuples and maps.
 */
export type OutsideColumns = readonly (readonly [string, string, string, boolean])[]

/**
 * For each column of a table that a pipeline fills: the columns that its values come from, in tables that no pipeline fills. The
 * origins of a missing column are unknown.
 */
export type ColumnOrigins = Readonly<Record<string, OutsideColumns>>

export const columnOriginsSchema = z.record(
  z.string(),
  z.array(z.tuple([z.string(), z.string(), z.string(), z.boolean()]).readonly()).readonly(),
)
const commentSchema = z.object({ origins: columnOriginsSchema.optional().catch(undefined) })

/**
 * Returns a test that tells whether a column of a pipeline's table contains private data. A column is private if one of its
 * origins is private under the operator's present settings. A column of unknown origin is private if the operator has marked any
 * column as private.
 * @param comment the comment of the pipeline's table, which lists the origins of each column
 */
export function privateCopyTest(comment: string, isPrivate: PrivateColumnTest): (column: string) => boolean {
  if (!comment.startsWith('{"clew_job":')) return () => false
  const origins = originsIn(comment)
  return column => {
    const own = Object.hasOwn(origins, column) ? origins[column] : undefined
    return own === undefined ? isPrivate('', '', ANY_COLUMN, true) : own.some(outside => isPrivate(...outside))
  }
}

function originsIn(comment: string): ColumnOrigins {
  try {
    return commentSchema.parse(JSON.parse(comment)).origins ?? {}
  } catch {
    return {}
  }
}
