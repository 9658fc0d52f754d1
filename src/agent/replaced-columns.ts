import { codeSpan } from './missing-values.ts'
import type { FailedAttempt } from './run-result.ts'

/**
 * What is to be said where a column that the person asked for does not exist, as an earlier attempt found, and the query that ran does without: another one may have been taken,
 * which answers something else. A name that the question does not hold was a slip of the model's; one that differs in case and punctuation only is the same, and one that stands
 * in the query that ran was found elsewhere.
 * @param asked the person's question and the part of it that is answered
 */
export function replacedColumns(failed: readonly FailedAttempt[], sql: string, asked: string): readonly string[] {
  const taken = namesIn(sql)
  const wanted = plain(asked)
  const said = failed.flatMap(({ unknown_column: unknown, near, sql: tried }) => {
    if (unknown === undefined) return []
    const column = lastPart(unknown)
    if (!wanted.includes(plain(column)) || [...taken].some(name => plain(name) === plain(column))) return []
    const triedNames = namesIn(tried)
    const others = [...new Set(near.map(lastPart))].filter(name => taken.has(name) && !triedNames.has(name))
    const instead = others.length === 0 ? 'the query does without it' : `${others.map(codeSpan).join(' and ')} was taken`
    return [`A column ${codeSpan(column)} does not exist; ${instead}.`]
  })
  return [...new Set(said)]
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
