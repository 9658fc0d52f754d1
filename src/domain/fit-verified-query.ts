import { z } from 'zod'
import { verifiedBySchema } from './definitions-used.ts'
import type { VerifiedQuery } from './files.ts'
import { type ParameterReadings, readAs } from './fit-question.ts'
import { namesItsDates } from './names-its-dates.ts'
import { type ParameterValue, parameterValues, type ValueSources } from './parameter-values.ts'
import { filledSql, type QueryTemplate } from './query-parameters.ts'
import type { WordOptions } from './question-words.ts'

/** A verified query with the values from a message in its SQL. */
export const verifiedFitSchema = verifiedBySchema.extend({ sql: z.string() })
export type VerifiedFit = z.infer<typeof verifiedFitSchema>

/** A verified query whose words match a message, and the possible values of its parameters. */
export interface Candidate {
  readonly query: VerifiedQuery
  readonly readings: readonly ParameterReadings[]
}

/** Returns the verified queries whose words match a message. Their values are not yet checked. */
export function candidatesFor(message: string, queries: readonly VerifiedQuery[], options: WordOptions): readonly Candidate[] {
  return queries
    .filter(query => namesItsDates(templateOf(query)))
    .map(query => ({ query, readings: readingsOf(message, templateOf(query), options) }))
    .filter(({ readings }) => readings.length > 0)
}

/** Matches SQL that returns a single row. A plural in the message then must not match a singular in the question. */
const FINDS_ONE = /\bLIMIT\s+1\b|\barg(?:Max|Min)\b/i

function readingsOf(message: string, template: QueryTemplate, options: WordOptions): readonly ParameterReadings[] {
  return readAs(message, template, { ...options, numberCounts: FINDS_ONE.test(template.sql) })
}

/**
 * Returns the one verified query that a message asks for.
 * Null if a value is unknown, if several queries match, or if a look-up takes too long.
 */
export async function fitOf(
  candidates: readonly Candidate[],
  sources: ValueSources,
  signal: AbortSignal,
): Promise<VerifiedFit | null> {
  const fits = await Promise.all(
    candidates.flatMap(({ query, readings }) => readings.map(said => fitsOf(query, said, sources, signal))),
  )
  // If the look-up of a reading failed, this reading may be the right one. So no other reading is certain.
  if (fits.includes(null)) return null
  const [fit, ...others] = new Map(fits.flatMap(each => each ?? []).map(each => [each.sql, each])).values()
  return fit === undefined || others.length > 0 ? null : fit
}

async function fitsOf(
  query: VerifiedQuery,
  said: ParameterReadings,
  sources: ValueSources,
  signal: AbortSignal,
): Promise<readonly VerifiedFit[] | null> {
  const { sql, parameters = [] } = templateOf(query)
  const { verified_by, verified_at, question, data_time } = query
  const found = await Promise.all(
    parameters.map(parameter => parameterValues(parameter, said.get(parameter.name) ?? [], sources, signal)),
  )
  // One invalid value rules out the whole reading.
  if (found.some(values => values?.length === 0)) return []
  const known = found.filter(values => values !== null)
  if (known.length < found.length) return null
  return combinations(known).map(values => ({
    sql: filledSql(sql, new Map(values.flatMap(({ literals }) => literals))),
    ...{ verified_by, verified_at, question },
    parameters: values.map(({ name, value }) => ({ name, value })),
    ...(data_time === undefined ? {} : { data_time }),
  }))
}

function combinations(found: readonly (readonly ParameterValue[])[]): readonly (readonly ParameterValue[])[] {
  return found.reduce<readonly (readonly ParameterValue[])[]>(
    (rows, values) => rows.flatMap(row => values.map(value => [...row, value])),
    [[]],
  )
}

/** Returns a verified query with open parameters, as its author wrote it. Questions are compared in this form. */
export function templateOf({ question, sql, template }: VerifiedQuery): QueryTemplate {
  return template ?? { question, sql }
}
