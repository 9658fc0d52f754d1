import { ConfigurationError } from '../base/errors.ts'
import { memoizePerObject } from '../base/memoize.ts'
import type { DomainPack } from '../domain/pack.ts'
import { estimateTokens } from '../llm/token-estimate.ts'
import { renderSchema } from '../warehouse/catalog/schema-prompt.ts'
import { SCHEMA_PARTS } from '../warehouse/catalog/withhold-parts.ts'
import type { Schema, SchemaPart } from '../warehouse/schema.ts'
import { type SchemaSource, withSchemas } from '../warehouse/schema-source.ts'

/** The parts that an evaluation can leave out of the prompts for planning and SQL. The question itself always stays. */
const CONTEXT_PARTS = [...SCHEMA_PARTS, 'domain'] as const

export type ContextPart = (typeof CONTEXT_PARTS)[number]

/** The tokens that one part of the context adds to every prompt with the schema. */
export interface PartCost {
  readonly part: ContextPart
  /** The estimated number of tokens that a prompt without the part saves. */
  readonly tokens: number
}

/**
 * Parses a comma-separated list of parts, such as "samples,domain".
 * @throws ConfigurationError for an unknown part
 */
export function readContextParts(text: string): readonly ContextPart[] {
  const names = text
    .split(',')
    .map(name => name.trim())
    .filter(name => name !== '')
  return [...new Set(names)].sort().map(name => {
    const part = CONTEXT_PARTS.find(known => known === name)
    if (part !== undefined) return part
    throw new ConfigurationError(`There is no part of the context called ${name}: there are ${CONTEXT_PARTS.join(', ')}.`)
  })
}

/** Leaves parts of the schema out of the prompts only. Checking and running queries still use the whole schema. */
export function withholding(source: SchemaSource, parts: readonly ContextPart[]): SchemaSource {
  const withheld = parts.filter((part): part is SchemaPart => part !== 'domain')
  if (withheld.length === 0) return source
  // Prompts are cached by schema object. So the same schema must always give the same object.
  const mark = memoizePerObject((schema: Schema): Schema => ({ ...schema, withheld }))
  return withSchemas(source, mark)
}

/**
 * Returns the tokens of the schema and the domain pack together, and the tokens of each part. Parts share words, so they do not
 * add up to the total.
 */
export function contextCosts(
  schema: Schema,
  domain: Pick<DomainPack, 'full'>,
): { readonly tokens: number; readonly parts: readonly PartCost[] } {
  const ofDomain = estimateTokens(domain.full)
  const ofSchema = schemaTokens(schema)
  const parts = CONTEXT_PARTS.map(part => {
    if (part === 'domain') return { part, tokens: ofDomain }
    return { part, tokens: ofSchema - schemaTokens({ ...schema, withheld: [part] }) }
  })
  return { tokens: ofSchema + ofDomain, parts }
}

/**
 * Estimates the tokens of the rendered schema. The fence that a prompt puts around it is not included: the tokens of the hash in
 * it vary.
 */
function schemaTokens(schema: Schema): number {
  return estimateTokens(renderSchema(schema).text)
}

/** Writes one line per part, with its estimated tokens and its share of the total. */
export function contextCostsText(name: string, { tokens, parts }: ReturnType<typeof contextCosts>): string {
  const line = (label: string, count: number, share: string) =>
    `${label.padEnd(14)}${String(count).padStart(8)}${share.padStart(8)}`
  const shares = parts.map(each => line(each.part, each.tokens, `${Math.round((100 * each.tokens) / Math.max(1, tokens))} %`))
  const header = `${'part'.padEnd(14)}${'tokens'.padStart(8)}${'share'.padStart(8)}`
  return [header, line(name, tokens, ''), ...shares].join('\n')
}
