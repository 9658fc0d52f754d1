import { z } from 'zod'
import { type SqlToken, splitTokens } from '../warehouse/sql/sql-tokens.ts'
import type { Warehouse } from '../warehouse/warehouse.ts'
import { type AnswerWords, answerWords } from '../words/answer.ts'
import type { Language } from '../words/language.ts'
import { DOMAIN_LIMITS } from './limits.ts'
import type { DomainPack } from './pack.ts'
import { similarQueries } from './similar-queries.ts'

/** A verified query that was used for an answer. */
export const verifiedBySchema = z.object({
  question: z.string(),
  verified_by: z.string(),
  verified_at: z.string(),
  /** The query's parameter values, if Clew ran the query without a model. */
  parameters: z.array(z.object({ name: z.string(), value: z.string() })).optional(),
  /** The verified question with the parameter values filled in. Set if the message used other words. */
  reading: z.string().optional(),
  /** The time column that shows how old the data is, as `database.table.column`. */
  data_time: z.string().optional(),
})

/** The definitions of the domain pack (the operator's files about the data) that a query uses. */
export const definitionsUsedSchema = z.object({
  /** Set if the query has the same SQL as a verified query, apart from formatting. */
  verified: verifiedBySchema.nullable(),
  metrics: z.array(z.string()).readonly(),
})
export type DefinitionsUsed = z.infer<typeof definitionsUsedSchema>

/**
 * Finds the definitions that a query uses. Compares the SQL, because a model's claim about what it used is not reliable.
 * @param query the data question, and the SQL as the engine formatted it
 * @returns null if the query uses no definition, or if the engine did not answer
 */
export async function definitionsUsed(
  query: { readonly question: string; readonly sql: string },
  pack: Pick<DomainPack, 'metrics' | 'verifiedQueries'>,
  warehouse: Pick<Warehouse, 'read'>,
  signal: AbortSignal,
): Promise<DefinitionsUsed | null> {
  const similar = similarQueries(query.question, pack.verifiedQueries)
  const texts = [...similar.map(({ sql }) => sql), ...pack.metrics.map(({ sql }) => `SELECT ${sql}`)]
  if (texts.length === 0) return null
  const printed = await print([query.sql, ...texts], warehouse, signal)
  const tokensOf = (sql: string) => splitTokens(printed.get(sql) ?? '') ?? []
  // A query is verified only if its whole text equals that of a verified query, including tables, values and brackets.
  const own = textOf(tokensOf(query.sql))
  const verified = own === '' ? undefined : similar.find(({ sql }) => textOf(tokensOf(sql)) === own)
  const unqualified = textOf(withoutQualifiers(tokensOf(query.sql)))
  const metrics = pack.metrics.filter(({ sql }) => {
    const [, ...expression] = withoutQualifiers(tokensOf(`SELECT ${sql}`))
    return expression.length > 0 && unqualified.includes(textOf(expression))
  })
  if (verified === undefined && metrics.length === 0) return null
  return {
    verified: verified === undefined ? null : verifiedBySchema.parse(verified),
    metrics: metrics.map(({ name }) => name),
  }
}

/** Returns each text as the engine formats it. Leaves out texts that the engine cannot parse. */
async function print(
  texts: readonly string[],
  warehouse: Pick<Warehouse, 'read'>,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  const sql = 'SELECT arrayJoin({texts:Array(String)}) AS text, formatQueryOrNull(text)'
  try {
    const { rows } = await warehouse.read({ sql, parameters: { texts }, timeoutMs: DOMAIN_LIMITS.definitionsMs }, signal)
    return new Map(rows.flatMap(([text, printed]) => (typeof printed === 'string' ? [[String(text), printed] as const] : [])))
  } catch (error) {
    if (signal.aborted) throw error
    return new Map()
  }
}

/** Removes the qualifiers of names, because two queries may differ only in their table aliases: `o.amount` becomes `amount`. */
function withoutQualifiers(tokens: readonly SqlToken[]): readonly SqlToken[] {
  return tokens.filter((token, at) => {
    const isQualifier = isName(token) && tokens[at + 1]?.text === '.' && isName(tokens[at + 2])
    const isItsDot = token.text === '.' && isName(tokens[at - 1]) && isName(tokens[at + 1])
    return !isQualifier && !isItsDot
  })
}

function isName(token: SqlToken | undefined): boolean {
  return token?.kind === 'word' || token?.kind === 'name'
}

/**
 * Writes the tokens with a space around each, so that a text search finds only whole tokens. Function names become lower case.
 */
function textOf(tokens: readonly SqlToken[]): string {
  const texts = tokens.map(({ text }, at) => (tokens[at + 1]?.text === '(' ? text.toLowerCase() : text))
  return texts.length === 0 ? '' : ` ${texts.join(' ')} `
}

/** Returns the note below an answer, with the definitions and verified queries that its queries use. Empty if they use none. */
export function definitionsNote(
  queries: readonly { readonly id: string; readonly definitions: DefinitionsUsed | null }[],
  language: Language,
): string {
  const words = answerWords(language)
  const sentences = queries.flatMap(({ id, definitions }) => {
    if (definitions === null) return []
    const { verified, metrics } = definitions
    const said = [
      ...(verified === null ? [] : [verifiedSentence(verified, words)]),
      ...(metrics.length === 0 ? [] : [words.definedMetrics(metrics.map(quoted))]),
    ]
    // If there is a single query, the note needs no query number.
    return said.map(sentence => `${sentence}${queries.length === 1 ? '' : ` [${id}]`}.`)
  })
  return sentences.join(' ')
}

function verifiedSentence(
  { verified_by: name, verified_at: day, parameters = [], reading }: z.infer<typeof verifiedBySchema>,
  words: AnswerWords,
): string {
  if (reading !== undefined) return words.verifiedReading(quoted(reading), quoted(name), day)
  const values = parameters.map(parameter => `${parameter.name} ${quoted(parameter.value)}`)
  return words.verifiedBy(quoted(name), day, values)
}

function quoted(text: string): string {
  return `*${text.replace(/[*_`[\]<>\s]+/g, ' ').trim()}*`
}
