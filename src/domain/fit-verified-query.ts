import { z } from 'zod'
import { verifiedBySchema } from './definitions-used.ts'
import type { VerifiedQuery } from './files.ts'
import { type ParameterReadings, readAs } from './fit-question.ts'
import { namesItsDates } from './names-its-dates.ts'
import { type ParameterValue, parameterValues, type ValueSources } from './parameter-values.ts'
import { filledSql, type QueryTemplate } from './query-parameters.ts'
import type { WordOptions } from './question-words.ts'

/** A verified query filled for a message. */
export const verifiedFitSchema = verifiedBySchema.extend({ sql: z.string() })
export type VerifiedFit = z.infer<typeof verifiedFitSchema>

/** A verified query that matches a message's words, with the possible readings of its values. */
export interface Candidate {
  readonly query: VerifiedQuery
  readonly readings: readonly ParameterReadings[]
}

/** The verified queries that match a message, before the values are checked. */
export function candidatesFor(message: string, queries: readonly VerifiedQuery[], options: WordOptions): readonly Candidate[] {
  return queries
    .filter(query => namesItsDates(templateOf(query)))
    .map(query => ({ query, readings: readingsOf(message, templateOf(query), options) }))
    .filter(({ readings }) => readings.length > 0)
}

/** SQL that finds a single thing. A question about several must not match it. */
const FINDS_ONE = /\bLIMIT\s+1\b|\barg(?:Max|Min)\b/i

function readingsOf(message: string, template: QueryTemplate, options: WordOptions): readonly ParameterReadings[] {
  return readAs(message, template, { ...options, numberCounts: FINDS_ONE.test(template.sql) })
}

/** The one verified query that a message asks for. Null if a value is unknown, several fit, or a look-up takes too long. */
export async function fitOf(
  candidates: readonly Candidate[],
  sources: ValueSources,
  signal: AbortSignal,
): Promise<VerifiedFit | null> {
  const fits = await Promise.all(
    candidates.flatMap(({ query, readings }) => readings.map(said => fitsOf(query, said, sources, signal))),
  )
  // A reading that could not be looked up may be the right one.
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

/** The original text with open parameters, for comparisons. */
export function templateOf({ question, sql, template }: VerifiedQuery): QueryTemplate {
  return template ?? { question, sql }
}
