import { splitWords, stem } from '../clickhouse/catalog/retrieval/words.ts'
import { fitsWhole } from '../clickhouse/catalog/schema-prompt.ts'
import type { Schema } from '../clickhouse/schema.ts'
import type { TablesAsk } from '../clickhouse/schema-source.ts'
import { oncePerObject } from '../remembered.ts'
import { domainHints } from './domain/domain-hints.ts'
import type { RunContext } from './run-context.ts'

/** Tables that may be shown with all that is known of them: these have their statistics gathered. */
const MOST_WHOLE = 8
/** Turns whose tables the next question mostly goes on with, and how much each step back takes away. */
const TURNS_BACK = 3
const TURN_WORTH = 0.7

const isSmall = oncePerObject((tables: Schema['tables']) => fitsWhole({ ...NO_FACTS, tables }))
const NO_FACTS = { databases: [], serverVersion: '', timeZone: '', fetchedAt: '' }

/**
 * The schema with what of it a question is shown: a large catalog is narrowed to the tables that the question may need, a small one stays the very object that it is.
 * `tables` are all tables in either case: what may be queried, and what a wrong name may have meant, do not depend on what was found.
 * @param ask.without tables that were shown before, and were not what was needed
 */
export async function focusSchema(context: RunContext, schema: Schema, ask: TablesAsk, signal: AbortSignal): Promise<Schema> {
  const { schemaSource, domain, settings } = context.deps
  if (schemaSource.find === undefined || isSmall(schema.tables)) return schema
  const hints = new Map([
    ...conversationHints(context),
    ...domainHints(`${ask.text} ${ask.context ?? ''}`, domain, settings.databases[0] ?? 'default'),
    ...(ask.hints ?? []),
  ])
  const found = await schemaSource.find(schema, { ...ask, hints }, signal)
  const best = found.slice(0, MOST_WHOLE).map(({ table }) => table)
  const known = (await schemaSource.withStatistics?.(best, signal)) ?? best
  const tables = found.map((focused, at) => ({ ...focused, table: known[at] ?? focused.table }))
  const words = new Set(splitWords(`${ask.text} ${ask.context ?? ''}`).map(stem))
  return { ...schema, focus: { tables, words, isSecondLook: ask.without !== undefined } }
}

/** The tables of the schema's focus, as `database.table`. */
export function focusedNames({ focus }: Schema): ReadonlySet<string> {
  return new Set(focus?.tables.map(({ table: { database, name } }) => `${database}.${name}`))
}

/** What earlier turns read stays at hand. */
function conversationHints({ request: { conversation } }: RunContext): ReadonlyMap<string, number> {
  const hints = new Map<string, number>()
  if (conversation.active_table !== null) hints.set(conversation.active_table, TURN_WORTH)
  const turns = conversation.turns.slice(-TURNS_BACK).reverse()
  for (const [back, turn] of turns.entries()) {
    for (const table of turn.queries.flatMap(({ tables }) => tables ?? [])) {
      if (!hints.has(table)) hints.set(table, TURN_WORTH ** (back + 1))
    }
  }
  return hints
}
