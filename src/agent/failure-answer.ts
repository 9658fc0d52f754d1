import { findTable, qualifiedName } from '../clickhouse/catalog/find-table.ts'
import { cutCharacters, onOneLine } from '../clickhouse/catalog/plain-text.ts'
import type { Schema } from '../clickhouse/schema.ts'
import { isNamedIn, lastPart } from '../clickhouse/validation/table-names.ts'
import type { FailedAttempt, QueryReport } from './run-result.ts'

interface Advice {
  /** Why there is no answer, for somebody who knows no SQL. */
  readonly cause: string
  /** What a person can do next. */
  readonly next: string
}

const ADVICE: Readonly<Record<string, Advice>> = {
  timeout: {
    cause: 'the query took longer than it may',
    next: 'Ask for a shorter period or fewer groups, so that less has to be read.',
  },
  resource: {
    cause: 'the query would take more than the warehouse allows',
    next: 'Ask for a shorter period or a coarser grouping, so that it fits the limits of the warehouse.',
  },
  authentication: {
    cause: 'the warehouse did not let me in',
    next: 'The warehouse did not accept the credentials: whoever runs Clew should run `clew doctor`.',
  },
  denied: {
    cause: 'the warehouse refused access',
    next: 'Whoever runs Clew should look at its log.',
  },
  broken: {
    cause: 'the warehouse is damaged in part',
    next: 'Whoever runs Clew should look at its log.',
  },
  unavailable: {
    cause: 'the warehouse is away, busy or over its quota just now',
    next: 'Ask again in a few minutes.',
  },
  cost: {
    cause: 'the query would read more than it may',
    next: 'Ask for a shorter period or fewer columns, so that less has to be read.',
  },
  stopped: {
    cause: 'the query would read more than it may, and you had it stopped',
    next: 'Ask for less: a shorter period, fewer groups, or certain rows only.',
  },
  unknown_name: {
    cause: 'the data has nothing of the name that it asks for',
    next: 'Ask "what tables are there?" to see what can be asked about, and name the table or column you mean.',
  },
  guard: {
    cause: 'it needs data that I do not have here, or a query that I may not run',
    next: 'Ask "what tables are there?" to see what can be asked about; if something is missing there, whoever runs Clew may know why.',
  },
  model: {
    cause: 'the language model wrote no query that could be used',
    next: 'Say it in other words, or ask for one thing at a time.',
  },
  model_away: { cause: 'the language model could not be reached', next: 'Ask again in a minute.' },
}
const DEFAULT_ADVICE: Advice = {
  cause: 'no query that was written for it works',
  next: 'Say it in other words, or name the table and the columns you mean.',
}
/** Failures that no other name would have prevented. */
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
const NAME_CHARACTERS = 200
const MOST_NEAR = 4

/**
 * The answer when no query came through: why, what may have been meant, one next step, and what was tried. Written by program from the attempts, so
 * that it is true also when no model can be reached.
 */
export function failureAnswer(queries: readonly QueryReport[], schema: Schema): string {
  const last = queries.flatMap(query => query.failed_attempts).at(-1)
  const near = nearNamesOf(queries)
  const meant = near.length === 0 ? '' : `**Did you mean** ${near.map(code).join(' or ')}?`
  const sections = queries.map(query => {
    const attempts = merged(query.failed_attempts).map((line, index) => `${index + 1}. ${line}`)
    return [`**${query.id}: ${oneLine(query.question)}**`, ...attempts].join('\n')
  })
  const parts = [
    `I could not answer this: ${causeOf(queries)}.`,
    meant,
    `**What you can do:** ${last?.advice ?? exampleOf(near, queries, schema) ?? describing(last, schema) ?? adviceOn(last).next}`,
    '**What was tried**',
    ...sections,
  ]
  return parts.filter(part => part !== '').join('\n\n')
}

/** The same in one sentence. */
export function failureSentence(queries: readonly QueryReport[]): string {
  const message = oneLine(queries.findLast(query => query.error !== null)?.error ?? '').replace(/\.+$/, '')
  const count = queries.length === 1 ? 'The query that this needs' : `None of the ${queries.length} queries that this needs`
  return `${count} ${queries.length === 1 ? 'did not run' : 'ran'}: ${message === '' ? causeOf(queries) : message}.`
}

/** What is added below an answer when some of its data questions failed; empty when none did. */
export function partialFailureNote(queries: readonly QueryReport[]): string {
  const failed = queries.filter(query => query.error !== null)
  if (failed.length === 0) return ''
  const lines = failed.map(query => {
    const tries = query.attempts === 1 ? 'one attempt' : `${query.attempts} attempts`
    return `- ${query.id}, ${oneLine(query.question)}: failed after ${tries}. ${oneLine(query.error ?? '')}`
  })
  return `**Not answered**\n${lines.join('\n')}`
}

/** What is added below an answer to a question that had too many parts; empty when none was left out. */
export function leftOutNote(leftOut: readonly string[]): string {
  if (leftOut.length === 0) return ''
  return `**Not looked up**, because it was too much at once; ask for it separately:\n${leftOut.map(question => `- ${oneLine(question)}`).join('\n')}`
}

/** One cause, where all have the same. */
function causeOf(queries: readonly QueryReport[]): string {
  const causes = new Set(queries.map(query => missingColumn(query) ?? adviceOn(query.failed_attempts.at(-1)).cause))
  const [only, ...others] = causes
  return only !== undefined && others.length === 0 ? only : `none of the ${queries.length} queries that it needs ran`
}

/** Undefined where the last attempt failed for another reason than a column that does not exist. */
function missingColumn({ failed_attempts: attempts }: QueryReport): string | undefined {
  if (attempts.at(-1)?.unknown_column === undefined) return undefined
  const names = [...new Set(attempts.flatMap(({ unknown_column: name }) => name ?? []))]
  return `no table that was looked at has a column for it (looked for ${names.map(code).join(', ')})`
}

/** What a table has in which a column was looked for. */
function describing(last: FailedAttempt | undefined, schema: Schema): string | undefined {
  if (last?.unknown_column === undefined) return undefined
  const table = schema.tables.map(qualifiedName).find(name => isNamedIn(last.sql, name))
  return table && `Ask for example "describe ${shown(table)}" to see what there is, and name the column you mean.`
}

function adviceOn(attempt: FailedAttempt | undefined): Advice {
  return ADVICE[attempt?.kind ?? ''] ?? DEFAULT_ADVICE
}

/** Of each data question that names may mend, those of the last attempt that had any: earlier ones were about other names, perhaps. */
function nearNamesOf(queries: readonly QueryReport[]): readonly string[] {
  const near = queries.flatMap(({ failed_attempts: attempts }) => {
    const isNaming = !NOT_ABOUT_NAMES.has(attempts.at(-1)?.kind ?? '')
    return isNaming ? (attempts.findLast(attempt => attempt.near.length > 0)?.near ?? []) : []
  })
  return [...new Set(near)].slice(0, MOST_NEAR)
}

/** A question with the nearest name that can be answered; undefined where there is none. */
function exampleOf(near: readonly string[], queries: readonly QueryReport[], schema: Schema): string | undefined {
  const [nearest] = near
  if (nearest === undefined) return undefined
  const found = findTable(schema, nearest)
  const table = found.kind === 'found' ? found.table : undefined
  if (table !== undefined) return `Ask again with the right name, or first for example "describe ${shown(qualifiedName(table))}".`
  const column = lastPart(nearest)
  const owners = schema.tables.filter(({ columns }) => columns.some(({ name, isPrivate }) => name === column && !isPrivate))
  const sql = queries.flatMap(query => query.failed_attempts.map(attempt => attempt.sql)).join('\n')
  const owner = owners.find(({ name }) => sql.includes(name)) ?? owners[0]
  if (owner === undefined) return undefined
  return `Ask again with the right name, or first for example "which values of ${shown(column)} are there in ${shown(qualifiedName(owner))}?"`
}

/** What went wrong, each thing once (such as what columns a table has), with how often it came and the first query it came from. */
function merged(attempts: readonly FailedAttempt[]): string[] {
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
    const count = times === 1 ? '' : ` (${times} times)`
    const tried = sql === '' ? '' : ` Tried: \`${cutCharacters(oneLine(sql).replaceAll('`', '´'), 160)}\``
    return `${news}${count}${tried}`
  })
}

function code(name: string): string {
  return `\`${shown(name)}\``
}

function shown(name: string): string {
  return onOneLine(name, NAME_CHARACTERS) || '?'
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}
