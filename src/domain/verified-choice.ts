import { z } from 'zod'
import { verifiedBySchema } from './definitions-used.ts'
import { templateOf, type VerifiedQuery } from './files.ts'
import { parameterValue, type ValueSources } from './parameter-values.ts'
import { filledQuestion, filledSql, partsOfQuestion } from './query-parameters.ts'
import { whyNotRun } from './why-not-run.ts'

/** A verified query that a message asks for, with a text for each of its parameters. The texts are not checked yet. */
export interface VerifiedChoice {
  readonly query: VerifiedQuery
  readonly values: ReadonlyMap<string, string>
  /** Whether the message is the verified question word for word. */
  readonly isLiteral: boolean
}

/** A verified query that answers a message. Its SQL contains the message's values, which were checked against the data. */
export const verifiedFitSchema = verifiedBySchema.extend({ sql: z.string() })
export type VerifiedFit = z.infer<typeof verifiedFitSchema>

/**
 * Matches words such as "it" or "those". In a conversation, they may refer to earlier messages and so change a question's
 * meaning.
 */
const REFERS =
  /(?<!\p{L})(?:it|its|they|them|theirs?|this|that|these|those|he|she|him|her|his|here|there|then|same|others?|such|ones?|former|latter|above|again|also|too|else|instead|both|es|sie|ihnen|ihre?[mnrs]?|diese[mnrs]?|jene[mnrs]?|da|dort|hier|davon|dabei|damit|dann|auch|andere[mnrs]?|beide[mnrs]?)(?!\p{L})/iu

/**
 * Returns the verified queries whose question the message repeats word for word. Ignores case, white space and punctuation at the
 * end.
 * @param isFollowUp whether the conversation has earlier messages
 */
export function literalChoices(
  message: string,
  queries: readonly VerifiedQuery[],
  isFollowUp: boolean,
): readonly VerifiedChoice[] {
  if (isFollowUp && REFERS.test(message)) return []
  return queries.flatMap(query => {
    const values = valuesIn(message, templateOf(query).question)
    return values === undefined || whyNotRun(query) !== undefined ? [] : [{ query, values, isLiteral: true }]
  })
}

/** Returns a text in a form for comparison: with single spaces and without punctuation such as "?" at the end. Case stays. */
export function comparableText(text: string): string {
  const plain = text.normalize('NFC').replace(/\s+/g, ' ').replaceAll('’', "'").trim()
  return plain.replace(/(?<![.?!… ])[.?!… ]+$/, '')
}

/**
 * If a message repeats a question except for its placeholders, returns the text in the place of each placeholder. Otherwise
 * returns undefined. A value ends where the next fixed part of the question first occurs.
 */
function valuesIn(message: string, question: string): ReadonlyMap<string, string> | undefined {
  const said = comparableText(message)
  const lower = said.toLowerCase()
  const [first = '', ...parts] = partsOfQuestion(comparableText(question).toLowerCase())
  if (lower.length !== said.length || !lower.startsWith(first)) return undefined
  const values = new Map<string, string>()
  let at = first.length
  for (let next = 0; next < parts.length; next += 2) {
    const [name = '', text = ''] = parts.slice(next, next + 2)
    const isLast = next + 2 === parts.length
    const end = isLast ? lower.length - text.length : lower.indexOf(text, at + 1)
    if (end <= at || !lower.startsWith(text, end)) return undefined
    values.set(name, said.slice(at, end))
    at = end + text.length
  }
  return at === lower.length ? values : undefined
}

/**
 * Checks the values of the choices against the data, and returns the one query that fits.
 * @returns null if no query fits, if several fit, or if a look-up fails or takes too long
 */
export async function fitOf(
  choices: readonly VerifiedChoice[],
  sources: ValueSources,
  signal: AbortSignal,
): Promise<VerifiedFit | null> {
  const fits = await Promise.all(choices.map(choice => checked(choice, sources, signal)))
  // The look-up of one choice failed. That choice may be the right one, so no other choice is taken.
  if (fits.includes(null)) return null
  const [fit, ...others] = new Map(fits.flatMap(each => each ?? []).map(each => [each.sql, each])).values()
  return fit === undefined || others.length > 0 ? null : fit
}

async function checked(
  { query, values, isLiteral }: VerifiedChoice,
  sources: ValueSources,
  signal: AbortSignal,
): Promise<VerifiedFit | undefined | null> {
  const { question, sql, parameters = [] } = templateOf(query)
  const found = await Promise.all(
    parameters.map(parameter => parameterValue(parameter, values.get(parameter.name)?.trim() ?? '', sources, signal)),
  )
  const known = found.filter(value => value != null)
  if (known.length < found.length || values.size !== parameters.length) return found.includes(null) ? null : undefined
  const { verified_by, verified_at, data_time } = query
  return {
    sql: filledSql(sql, new Map(known.flatMap(({ literals }) => literals))),
    ...{ verified_by, verified_at, question: query.question },
    parameters: known.map(({ name, value }) => ({ name, value })),
    ...(!isLiteral && { reading: filledQuestion(question, new Map(known.map(({ name, value }) => [name, value]))) }),
    ...(data_time === undefined ? {} : { data_time }),
  }
}
