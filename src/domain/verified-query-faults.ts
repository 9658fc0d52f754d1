import { timeColumn } from '../warehouse/catalog/time-key.ts'
import type { Schema } from '../warehouse/schema.ts'
import { templateOf, type VerifiedQuery } from './files.ts'
import { parameterColumn } from './parameter-values.ts'
import { filledQuestion } from './query-parameters.ts'
import { comparableText } from './verified-choice.ts'

/** Checks a verified query against the schema and the other verified queries. Returns the mistakes as sentences. */
export function verifiedQueryFaults(query: VerifiedQuery, all: readonly VerifiedQuery[], schema: Schema): readonly string[] {
  const { parameters = [] } = templateOf(query)
  return [
    ...parameters.flatMap(parameter =>
      parameter.type === 'text' && parameter.column !== undefined && parameterColumn(parameter, schema) === undefined
        ? [`{${parameter.name}} is of ${parameter.column}, which is not a text column that may be read.`]
        : [],
    ),
    ...(query.data_time === undefined || timeColumn(query.data_time, schema) !== undefined
      ? []
      : [`data_time is ${query.data_time}, which is not a time column that may be read.`]),
    ...sameQuestionFaults(query, all),
  ]
}

/** Says which other verified query has the same question, but other SQL. Empty if none does. */
export function sameQuestionFaults(query: VerifiedQuery, all: readonly VerifiedQuery[]): readonly string[] {
  const own = shapeOf(query)
  const same = all.find(other => other !== query && other.sql !== query.sql && shapeOf(other) === own)
  return same === undefined ? [] : [`"${same.question}" is the same question with other SQL: neither is run at once.`]
}

/**
 * Returns the question with parameter types instead of names: "orders in {city}?" becomes "orders in {text}?". Two questions with
 * the same result match the same messages.
 */
function shapeOf(query: VerifiedQuery): string {
  const { question, parameters = [] } = templateOf(query)
  const types = new Map(parameters.map(({ name, type }) => [name, `{${type}}`]))
  return comparableText(filledQuestion(question, types)).toLowerCase()
}
