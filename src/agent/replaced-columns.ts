import type { FailedAttempt } from './run-result.ts'

/** A column that the person asked for and that does not exist, and what the query takes that is near to it. */
export interface ReplacedColumn {
  readonly column: string
  readonly taken: readonly string[]
}

/**
 * What is to be said where a column that the person asked for does not exist, as an earlier attempt found, and the query that ran does without: another one may have been taken,
 * which answers something else. A name that the question does not hold was a slip of the model's; one that differs in case and punctuation only is the same, and one that stands
 * in the query that ran was found elsewhere.
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

function lastPart(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1)
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
}
