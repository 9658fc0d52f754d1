import { z } from 'zod'
import { templateOf, type VerifiedQuery } from '../../domain/files.ts'
import { DOMAIN_LIMITS } from '../../domain/limits.ts'
import type { QueryParameter } from '../../domain/query-parameters.ts'
import { nearestQueries } from '../../domain/similar-queries.ts'
import type { VerifiedChoice } from '../../domain/verified-choice.ts'
import { whyNotRun } from '../../domain/why-not-run.ts'
import { fenceData } from '../../llm/data-fence.ts'
import type { QuestionContext } from '../run/context.ts'

/** The verified query that the classify step has chosen. A choice that cannot be parsed is treated as none. */
export const chosenQuerySchema = z
  .object({ number: z.number().int(), values: z.array(z.object({ name: z.string(), value: z.string() })) })
  .nullable()
  .default(null)
  .catch(null)

/**
 * Returns the verified queries from which the classify step may choose: all of a small pack, or those of a large one that are
 * most similar to the message.
 */
export function offeredQueries({ request, domain }: QuestionContext): readonly VerifiedQuery[] {
  const queries = domain().verifiedQueries.filter(query => whyNotRun(query) === undefined)
  if (queries.length <= DOMAIN_LIMITS.offeredQueries) return queries
  const before = request.conversation.turns.at(-1)?.standalone_question ?? ''
  return nearestQueries(`${before} ${request.question}`, queries, DOMAIN_LIMITS.offeredQueries, 0)
}

/** Returns the verified query that the classify step has chosen. Empty if it chose none, or if its number does not exist. */
export function chosenQueries(
  chosen: z.infer<typeof chosenQuerySchema> | undefined,
  offered: readonly VerifiedQuery[],
): readonly VerifiedChoice[] {
  const query = chosen == null ? undefined : offered[chosen.number - 1]
  if (query === undefined) return []
  return [{ query, values: new Map(chosen?.values.map(({ name, value }) => [name, value])), isLiteral: false }]
}

/** Writes the verified questions for the prompt of the classify step. Empty if there are none. */
export function offeredPrompt(offered: readonly VerifiedQuery[]): string {
  if (offered.length === 0) return ''
  const lines = offered.map((query, at) => {
    const { question, parameters = [] } = templateOf(query)
    return [`${at + 1}. ${question}`, ...parameters.map(parameter => `   {${parameter.name}} is ${kindOf(parameter)}`)].join('\n')
  })
  return `

# Verified questions

A person has written and verified a query for each of these questions:

${fenceData('verified questions', lines.join('\n'))}

The object to return has \`verified\` too. It is null unless the message, understood in its conversation, asks for exactly what one of them asks for, in whatever words or language: the same measure, conditions,
grouping, order and number of rows, none more and none less. Only the parts in braces may differ. Then \`number\` is its number, and \`values\` has the \`name\` and \`value\` of each of them. In doubt it is null.`
}

function kindOf(parameter: QueryParameter): string {
  const { type, example } = parameter
  switch (type) {
    case 'number':
      return `a number in digits, such as ${example}`
    case 'text':
      if (parameter.values === undefined) return `one name as the message has it, such as ${example}`
      return `one of ${JSON.stringify(Array.isArray(parameter.values) ? parameter.values : Object.keys(parameter.values))}`
    case 'period':
      return 'one of: 2026-03-31, 2026-03, Q1 2026, 2026, today, yesterday, this (or last) week (or month, quarter, year), last 3 minutes (or hours, days, weeks, with any number)'
  }
}
