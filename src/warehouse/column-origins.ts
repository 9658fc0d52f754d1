import { z } from 'zod'
import { ANY_COLUMN, type PrivateColumnTest } from './private-columns.ts'

/** Columns of tables that no pipeline fills, each as `[database, table, column, hasParts]`. `hasParts` is true for JSON, tuples and maps. */
export type OutsideColumns = readonly (readonly [string, string, string, boolean])[]

/**
 * The origins of each column in a table that a pipeline filled. Origins are columns of tables that no pipeline fills. If a column is missing
 * here, its origins are unknown.
 */
export type ColumnOrigins = Readonly<Record<string, OutsideColumns>>

export const columnOriginsSchema = z.record(
  z.string(),
  z.array(z.tuple([z.string(), z.string(), z.string(), z.boolean()]).readonly()).readonly(),
)
const commentSchema = z.object({ origins: columnOriginsSchema.optional().catch(undefined) })

/**
 * Returns a test for the columns of a pipeline's table: whether they copy or use private columns. The table's comment lists the
 * origins of each column. The operator's present settings decide which origins are private. A column of unknown origin is treated
 * as private if the operator has marked any column as private.
 * @param comment the comment of the pipeline's table
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
