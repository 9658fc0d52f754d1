import { memoizePerObject } from '../../base/memoize.ts'
import { domainHints } from '../../domain/hints.ts'
import { fitsWhole } from '../../warehouse/catalog/schema-prompt.ts'
import { splitWords, stem } from '../../warehouse/retrieval/words.ts'
import type { Schema } from '../../warehouse/schema.ts'
import type { TablesAsk } from '../../warehouse/schema-source.ts'
import { AGENT_LIMITS } from '../limits.ts'
import type { SchemaContext } from '../run/context.ts'

/** For each turn further back in the conversation, a table's weight is multiplied by this factor. */
const TURN_WORTH = 0.7

const isSmall = memoizePerObject((tables: Schema['tables']) => fitsWhole({ ...NO_FACTS, tables }))
const NO_FACTS = { databases: [], serverVersion: '', timeZone: '', fetchedAt: '' }

/**
 * Focuses a large catalog on the tables that a question may need. A small catalog is returned unchanged. `tables` still lists all
 * tables, because queries and suggestions may use any of them.
 * @param ask.without tables that were in focus before but did not suffice
 */
export async function focusSchema(context: SchemaContext, schema: Schema, ask: TablesAsk, signal: AbortSignal): Promise<Schema> {
  const { schemaSource, domain, databases } = context
  if (schemaSource.find === undefined || isSmall(schema.tables)) return schema
  const hints = new Map([
    ...conversationHints(context),
    ...domainHints(`${ask.text} ${ask.context ?? ''}`, domain(), databases[0] ?? 'default'),
    ...(ask.hints ?? []),
  ])
  const found = await schemaSource.find(schema, { ...ask, hints }, signal)
  const best = found.slice(0, AGENT_LIMITS.schema.wholeTables).map(({ table }) => table)
  const known = (await schemaSource.withStatistics?.(best, signal)) ?? best
  const tables = found.map((focused, at) => ({ ...focused, table: known[at] ?? focused.table }))
  const words = new Set(splitWords(`${ask.text} ${ask.context ?? ''}`).map(stem))
  return { ...schema, focus: { tables, words, isSecondLook: ask.without !== undefined } }
}

/** Returns the tables in focus, as `database.table`. */
export function focusedNames({ focus }: Schema): ReadonlySet<string> {
  return new Set(focus?.tables.map(({ table: { database, name } }) => `${database}.${name}`))
}

/** Returns the tables of recent turns with their weights, so that these tables stay in focus. */
function conversationHints({ request: { conversation } }: SchemaContext): ReadonlyMap<string, number> {
  const hints = new Map<string, number>()
  if (conversation.active_table !== null) hints.set(conversation.active_table, TURN_WORTH)
  const turns = conversation.turns.slice(-AGENT_LIMITS.schema.turnsBack).reverse()
  for (const [back, turn] of turns.entries()) {
    for (const table of turn.queries.flatMap(({ tables }) => tables ?? [])) {
      if (!hints.has(table)) hints.set(table, TURN_WORTH ** (back + 1))
    }
  }
  return hints
}
