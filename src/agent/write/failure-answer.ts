import { findTable } from '../../warehouse/catalog/find-table.ts'
import type { Schema } from '../../warehouse/schema.ts'
import { cutCharacters, onOneLine } from '../../warehouse/sql/plain-text.ts'
import { isNamedIn, lastPart, qualifiedName } from '../../warehouse/table-names.ts'
import { type FailureWords, failureAdvice, failureWords } from '../../words/failure.ts'
import { type Language, numberText } from '../../words/language.ts'
import { AGENT_LIMITS } from '../limits.ts'
import type { FailedAttempt, QueryReport } from '../run/result.ts'

/** Kinds of failures that are not caused by a wrong name. */
const NOT_ABOUT_NAMES: ReadonlySet<string> = new Set([
  'timeout',
  'resource',
  'cost',
  'stopped',
  'authentication',
  'denied',
  'broken',
  'unavailable',
  'model_away',
])

/** The guard's codes of a query that is written wrongly. The other codes refuse what may not run. */
const WRITTEN_WRONGLY: ReadonlySet<string> = new Set([
  'too_long',
  'forbidden_character',
  'syntax',
  'several_statements',
  'parameter',
  'not_understood',
  'contract',
  'other_tables',
])

/**
 * Writes the answer if all queries failed: the reason, similar names, one next step, and the attempts. No model writes it, so
 * nothing in it is invented.
 */
export function failureAnswer(queries: readonly QueryReport[], schema: Schema, language: Language): string {
  const words = failureWords(language)
  const last = queries.flatMap(query => query.failed_attempts).at(-1)
  const near = nearNamesOf(queries)
  const advice =
    last?.advice ??
    exampleOf(near, queries, schema, words) ??
    describing(last, schema, words) ??
    failureAdvice(toldKind(last), words).next
  const sections = queries.map(query => {
    const attempts = merged(query.failed_attempts, words).map((line, index) => `${index + 1}. ${line}`)
    return [`**${query.id}: ${oneLine(query.question)}**`, ...attempts].join('\n')
  })
  const meant = near.length === 0 ? [] : [words.didYouMean(near.map(code))]
  return [words.intro(causeOf(queries, language)), ...meant, words.next(advice), words.tried, ...sections].join('\n\n')
}

/** Writes one sentence about the failure, for an error message. */
export function failureSentence(queries: readonly QueryReport[], language: Language): string {
  const message = oneLine(queries.findLast(query => query.error !== null)?.error ?? '').replace(/(?<!\.)\.+$/, '')
  return failureWords(language).noneRan(queries.length, message === '' ? causeOf(queries, language) : message)
}

/** Returns why the queries failed, as a part of a sentence. If the reasons differ, it only says that several queries failed. */
export function causeOf(queries: readonly QueryReport[], language: Language): string {
  const words = failureWords(language)
  const causes = new Set(
    queries.map(
      query =>
        missingColumn(query, words) ??
        repeatedRows(query, language) ??
        failureAdvice(toldKind(query.failed_attempts.at(-1)), words).cause,
    ),
  )
  const [only, ...others] = causes
  return only !== undefined && others.length === 0 ? only : words.severalFailed(queries.length)
}

/** Returns the kind of failure that the words name. */
function toldKind(attempt: FailedAttempt | undefined): string | undefined {
  return attempt?.kind === 'guard' && WRITTEN_WRONGLY.has(attempt.code ?? '') ? 'other' : attempt?.kind
}

/** Returns the part of a sentence about columns that do not exist. Undefined if the last attempt failed for another reason. */
function missingColumn({ failed_attempts: attempts }: QueryReport, words: FailureWords): string | undefined {
  if (attempts.at(-1)?.unknown_column === undefined) return undefined
  return words.missingColumn([...new Set(attempts.flatMap(({ unknown_column: name }) => name ?? []))].map(code))
}

/** Returns the part of a sentence about a join that multiplies rows. Undefined if the last attempt failed for another reason. */
function repeatedRows({ failed_attempts: attempts, combined }: QueryReport, language: Language): string | undefined {
  const most = combined?.joins.map(({ most_rows_left: left, most_rows_right: right }) => [left, right] as const)
  const found = most?.find(([left, right]) => left > 1 && right > 1) ?? most?.find(([left, right]) => left > 1 || right > 1)
  if (attempts.at(-1)?.kind !== 'repeated_rows' || found === undefined) return undefined
  return failureWords(language).repeatedRows(numberText(found[0], language), numberText(found[1], language))
}

/** If a query's column does not exist, returns the advice to ask for the description of its table. */
function describing(last: FailedAttempt | undefined, schema: Schema, words: FailureWords): string | undefined {
  if (last?.unknown_column === undefined) return undefined
  const table = schema.tables.map(qualifiedName).find(name => isNamedIn(last.sql, name))
  return table && words.describe(shown(table))
}

/**
 * Returns the similar names of each data question, from its last attempt that has any. Earlier attempts may have been about other
 * names.
 */
function nearNamesOf(queries: readonly QueryReport[]): readonly string[] {
  const near = queries.flatMap(({ failed_attempts: attempts }) => {
    const isNaming = !NOT_ABOUT_NAMES.has(attempts.at(-1)?.kind ?? '')
    return isNaming ? (attempts.findLast(attempt => attempt.near.length > 0)?.near ?? []) : []
  })
  return [...new Set(near)].slice(0, AGENT_LIMITS.write.nearNames)
}

/** Returns an example question with the existing name that is most similar. Undefined if there is none. */
function exampleOf(
  near: readonly string[],
  queries: readonly QueryReport[],
  schema: Schema,
  words: FailureWords,
): string | undefined {
  const [nearest] = near
  if (nearest === undefined) return undefined
  const found = findTable(schema, nearest)
  const table = found.kind === 'found' ? found.table : undefined
  if (table !== undefined) return words.rightTable(shown(qualifiedName(table)))
  const column = lastPart(nearest)
  const owners = schema.tables.filter(({ columns }) => columns.some(({ name, isPrivate }) => name === column && !isPrivate))
  const sql = queries.flatMap(query => query.failed_attempts.map(attempt => attempt.sql)).join('\n')
  const owner = owners.find(({ name }) => sql.includes(name)) ?? owners[0]
  if (owner === undefined) return undefined
  return words.rightColumn(shown(column), shown(qualifiedName(owner)))
}

/** Lists each error once, with its count and its first query. An error whose sentence is part of an earlier error is left out. */
function merged(attempts: readonly FailedAttempt[], words: FailureWords): string[] {
  const byMessage = new Map<string, { readonly sql: string; times: number }>()
  for (const { message, sql } of attempts) {
    const known = byMessage.get(oneLine(message))
    if (known === undefined) byMessage.set(oneLine(message), { sql, times: 1 })
    else known.times++
  }
  const told = new Set<string>()
  return [...byMessage].map(([message, { sql, times }]) => {
    const sentences = message.split(/(?<=\.) /)
    const news = sentences.filter((sentence, index) => index === 0 || !told.has(sentence)).join(' ')
    for (const sentence of sentences) told.add(sentence)
    const count = times === 1 ? '' : ` (${words.times(times)})`
    const tried = sql === '' ? '' : ` ${words.triedSql(`\`${cutCharacters(oneLine(sql).replaceAll('`', '´'), 160)}\``)}`
    return `${news}${count}${tried}`
  })
}

function code(name: string): string {
  return `\`${shown(name)}\``
}

function shown(name: string): string {
  return onOneLine(name, AGENT_LIMITS.write.nameCharacters) || '?'
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}
