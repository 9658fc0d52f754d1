import { lastPart } from '../../warehouse/table-names.ts'
import type { FailedAttempt } from '../run/result.ts'

/** A column in the question that does not exist, and similar ones that the query uses. */
export interface ReplacedColumn {
  readonly column: string
  readonly taken: readonly string[]
}

/**
 * Columns in the question that an earlier attempt found missing and the final query lacks. A similar column may have replaced
 * one, which answers something else. A name that the question lacks was the model's slip. A name in the final query was found
 * elsewhere, apart from case and punctuation.
 * @param asked the person's question and the part of it that is answered
 */
export function replacedColumns(failed: readonly FailedAttempt[], sql: string, asked: string): readonly ReplacedColumn[] {
  const taken = namesIn(sql)
  const wanted = plain(asked)
  const replaced = failed.flatMap(({ unknown_column: unknown, near, sql: tried }): readonly [string, ReplacedColumn][] => {
    if (unknown === undefined) return []
    const column = lastPart(unknown)
    if (!wanted.includes(plain(column)) || [...taken].some(name => plain(name) === plain(column))) return []
    const triedNames = namesIn(tried)
    const others = [...new Set(near.map(lastPart))].filter(name => taken.has(name) && !triedNames.has(name))
    return [[column, { column, taken: others }]]
  })
  return [...new Map(replaced).values()]
}

function namesIn(sql: string): ReadonlySet<string> {
  return new Set(sql.match(/[\p{L}\p{N}_]+/gu))
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
}
