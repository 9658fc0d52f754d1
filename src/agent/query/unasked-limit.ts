import type { AllowedQuery } from '../../warehouse/query-validator.ts'
import { AGENT_LIMITS } from '../limits.ts'

/** Matches the outer LIMIT of a SELECT, as the engine prints it. */
const OUTER_LIMIT = /\sLIMIT (\d+)$/
const NUMBER = /\d+(?:[.,'’]\d{3})*/g
/** Matches number words in a question, such as "thousand". A high LIMIT may mean such a number. */
const LARGE_NUMBER = /hundred|thousand|hundert|tausend|\dk\b/i

/**
 * Removes the outer LIMIT of a query if nobody asked for that number of rows. Models write such a LIMIT out of habit, and it
 * hides rows. The maximum number of rows still applies. A low LIMIT is kept, because it may come from words such as "a few".
 * @param asked the texts that may ask for a number of rows
 */
export function withoutUnaskedLimit(query: AllowedQuery, asked: readonly string[]): AllowedQuery {
  const limit = query.tree?.kind === 'QUERY' ? Number(OUTER_LIMIT.exec(query.canonical)?.[1]) : Number.NaN
  if (!(limit > AGENT_LIMITS.query.fewRows) || asked.some(text => mayAskFor(limit, text))) return query
  return { ...query, canonical: query.canonical.replace(OUTER_LIMIT, '').trimEnd() }
}

function mayAskFor(limit: number, text: string): boolean {
  const numbers = (text.match(NUMBER) ?? []).map(number => Number(number.replace(/\D/g, '')))
  return numbers.includes(limit) || LARGE_NUMBER.test(text)
}
