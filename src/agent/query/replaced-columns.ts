import { lastPart } from '../../warehouse/table-names.ts'
import type { FailedAttempt } from '../run/result.ts'

/** A column that the question names and that does not exist. `taken` are the similar columns that the query uses instead. */
export interface ReplacedColumn {
  readonly column: string
  readonly taken: readonly string[]
}

/**
 * Returns the columns that the question names, that an earlier attempt did not find, and that the final query does not use. The
 * final query may use a similar column instead, and so answer another question. Leaves out names that are not in the question,
 * because the model made them up. Ignores case and punctuation.
 * @param asked the person's question, and the data question that this query answers
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
