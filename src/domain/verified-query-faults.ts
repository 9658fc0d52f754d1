import { timeColumn } from '../warehouse/catalog/time-key.ts'
import type { Schema } from '../warehouse/schema.ts'
import type { VerifiedQuery } from './files.ts'
import { saysMy } from './fit-question.ts'
import { templateOf } from './fit-verified-query.ts'
import { namesItsDates } from './names-its-dates.ts'
import { parameterColumn } from './parameter-values.ts'
import { slotOf } from './query-parameters.ts'
import { wordsOfQuestion } from './question-words.ts'

/** Checks a verified query against the schema and the other verified queries. Returns the mistakes as sentences. */
export function verifiedQueryFaults(query: VerifiedQuery, all: readonly VerifiedQuery[], schema: Schema): readonly string[] {
  const { parameters = [] } = templateOf(query)
  const own = shapeOf(query)
  const same = all.find(other => other !== query && other.sql !== query.sql && shapeOf(other) === own)
  return [
    ...parameters.flatMap(parameter =>
      parameter.type === 'text' && parameter.column !== undefined && parameterColumn(parameter, schema) === undefined
        ? [`{${parameter.name}} is of ${parameter.column}, which is not a text column that may be read.`]
        : [],
    ),
    ...(query.data_time === undefined || timeColumn(query.data_time, schema) !== undefined
      ? []
      : [`data_time is ${query.data_time}, which is not a time column that may be read.`]),
    ...(same === undefined ? [] : [`"${same.question}" is the same question with other SQL: neither is run at once.`]),
  ]
}

/** Returns the reason why a verified query only serves as an example. Undefined if Clew runs it directly. */
export function whyNotRun(query: VerifiedQuery): string | undefined {
  if (saysMy(query.question)) return 'its question is about whoever asks it'
  return namesItsDates(templateOf(query)) ? undefined : 'its SQL names a date that its question does not'
}

/** Returns the question with the type of each parameter in place of its name. Two questions with the same shape match the same messages. */
function shapeOf(query: VerifiedQuery): string {
  const { question, parameters = [] } = templateOf(query)
  const typeOf = (text: string) => parameters.find(({ name }) => name === slotOf(text))?.type
  const words = wordsOfQuestion(question, { isLiteral: false }).map(({ text }) => typeOf(text)?.toUpperCase() ?? text)
  return words.join(' ')
}
