import { cutCharacters } from '../clickhouse/catalog/plain-text.ts'
import type { FailedAttempt, QueryReport } from './run-result.ts'

/** What a person can do next, by what went wrong. */
const NEXT_STEP: Readonly<Record<string, string>> = {
  timeout: 'Ask for a shorter period or fewer groups, so that less has to be read.',
  resource: 'Ask for a shorter period or a coarser grouping, so that it fits the limits of the warehouse.',
  authentication: 'The warehouse did not accept the credentials: whoever runs Clew should run `clew doctor`.',
  denied: 'The warehouse refused access: whoever runs Clew should look at its log.',
  broken: 'The warehouse is damaged in part: whoever runs Clew should look at its log.',
  unavailable: 'The warehouse is away, busy or over its quota just now: try again in a few minutes.',
  unknown_name: 'Ask "what tables are there?" to see what can be asked about, and name the table or column you mean.',
  cost: 'Ask for a shorter period or fewer columns, so that less has to be read.',
  stopped: 'Ask for less: a shorter period, fewer groups, or certain rows only.',
  guard: 'Ask "what tables are there?" to see what can be asked about.',
}
const DEFAULT_STEP = 'Say it in other words, or name the table and the columns you mean.'

/**
 * The answer when no query came through: what was tried, what went wrong each time, and what to do next. Written by program from
 * the attempts, so that it is true also when no model can be reached.
 */
export function failureAnswer(queries: readonly QueryReport[]): string {
  const sections = queries.map(query => {
    const attempts = counted(query.failed_attempts.map(attemptLine)).map((line, index) => `${index + 1}. ${line}`)
    return [`**${query.id}: ${oneLine(query.question)}**`, ...attempts].join('\n')
  })
  const last = queries.flatMap(query => query.failed_attempts).at(-1)
  const count = queries.length === 1 ? 'the query it needs' : `any of the ${queries.length} queries it needs`
  return [
    `I could not answer this: ${count} did not run.`,
    ...sections,
    `**What you can do:** ${last?.advice ?? NEXT_STEP[last?.kind ?? ''] ?? DEFAULT_STEP}`,
  ].join('\n\n')
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

/** Lines that follow their like are told once, with how often they came. */
function counted(lines: readonly string[]): string[] {
  const runs: { line: string; times: number }[] = []
  for (const line of lines) {
    const last = runs.at(-1)
    if (last?.line === line) last.times++
    else runs.push({ line, times: 1 })
  }
  return runs.map(({ line, times }) => (times === 1 ? line : `${line} (${times} times)`))
}

function attemptLine(attempt: FailedAttempt): string {
  const message = oneLine(attempt.message)
  return attempt.sql === '' ? message : `\`${shortened(oneLine(attempt.sql).replaceAll('`', '´'))}\`: ${message}`
}

function shortened(sql: string): string {
  return cutCharacters(sql, 160)
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}
