import { z } from 'zod'
import { ANY_COLUMN, type PrivateColumnTest } from './private-columns.ts'

/** Columns of tables that no pipeline fills, each as `[database, table, column, hasParts]`. `hasParts` is true for JSON, tuples and maps. */
export type OutsideColumns = readonly (readonly [string, string, string, boolean])[]

/**
 * The origins of each column in a pipeline's table. Origins are columns of tables that no pipeline fills. A missing column has unknown origins.
 */
export type ColumnOrigins = Readonly<Record<string, OutsideColumns>>

export const columnOriginsSchema = z.record(
  z.string(),
  z.array(z.tuple([z.string(), z.string(), z.string(), z.boolean()]).readonly()).readonly(),
)
const commentSchema = z.object({ origins: columnOriginsSchema.optional().catch(undefined) })

/**
 * Returns a test for columns of a pipeline's table that copy or use private columns. The comment of the table states the origins. The present marks
 * decide which origins are private. A column of unknown origin counts as private as soon as any column is private.
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
