import { z } from 'zod'
import { ANY_COLUMN, type PrivateColumnTest } from './private-columns.ts'

/** Columns of tables outside of all pipelines: `[database, table, column]`, and whether it has parts. */
export type OutsideColumns = readonly (readonly [string, string, string, boolean])[]

/** For each column of a table that a pipeline has filled, the outside columns that its values are made of. One that is missing has unknown origins. */
export type ColumnOrigins = Readonly<Record<string, OutsideColumns>>

export const columnOriginsSchema = z.record(
  z.string(),
  z.array(z.tuple([z.string(), z.string(), z.string(), z.boolean()]).readonly()).readonly(),
)
const commentSchema = z.object({ origins: columnOriginsSchema.optional().catch(undefined) })

/**
 * Tells of a pipeline's table which of its columns are copies of private ones, or are made of them. The comment tells where columns come from, and is judged by
 * the marks of today; a column whose origins it does not tell may come from any.
 * @param comment the table's
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
