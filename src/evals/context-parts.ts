import { ConfigurationError } from '../base/errors.ts'
import { memoizePerObject } from '../base/memoize.ts'
import type { DomainPack } from '../domain/pack.ts'
import { estimateTokens } from '../llm/token-estimate.ts'
import { renderSchema } from '../warehouse/catalog/schema-prompt.ts'
import { SCHEMA_PARTS } from '../warehouse/catalog/withhold-parts.ts'
import type { Schema, SchemaPart } from '../warehouse/schema.ts'
import { type SchemaSource, withSchemas } from '../warehouse/schema-source.ts'

/** The context of planning and SQL besides the question, in parts that an eval can leave out. */
const CONTEXT_PARTS = [...SCHEMA_PARTS, 'domain'] as const

export type ContextPart = (typeof CONTEXT_PARTS)[number]

/** A part's cost in every prompt with the schema. */
export interface PartCost {
  readonly part: ContextPart
  /** Estimated: how much shorter the prompt is without it. */
  readonly tokens: number
}

/** @throws ConfigurationError for an unknown part */
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

/** Removes parts from prompts only. Validation and execution keep the whole schema. */
export function withholding(source: SchemaSource, parts: readonly ContextPart[]): SchemaSource {
  const withheld = parts.filter((part): part is SchemaPart => part !== 'domain')
  if (withheld.length === 0) return source
  // Return the same object for the same schema, since prompts are cached by it.
  const mark = memoizePerObject((schema: Schema): Schema => ({ ...schema, withheld }))
  return withSchemas(source, mark)
}

/** Returns the cost of schema and domain pack together, and of each part. Parts share words, so they do not add up. */
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

/** Without the fence, whose random characters vary in tokens. */
function schemaTokens(schema: Schema): number {
  return estimateTokens(renderSchema(schema).text)
}

/** Writes a line per part with its estimated tokens and share. */
export function contextCostsText(name: string, { tokens, parts }: ReturnType<typeof contextCosts>): string {
  const line = (label: string, count: number, share: string) =>
    `${label.padEnd(14)}${String(count).padStart(8)}${share.padStart(8)}`
  const shares = parts.map(each => line(each.part, each.tokens, `${Math.round((100 * each.tokens) / Math.max(1, tokens))} %`))
  const header = `${'part'.padEnd(14)}${'tokens'.padStart(8)}${'share'.padStart(8)}`
  return [header, line(name, tokens, ''), ...shares].join('\n')
}
