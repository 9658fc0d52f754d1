import { createHash } from 'node:crypto'
import { z } from 'zod'
import { HOUR_MS } from '../base/durations.ts'
import { parseJson } from '../base/text/parse-json.ts'
import type { StateStore } from '../store/state-store.ts'
import type { Schema } from '../warehouse/schema.ts'
import { qualifiedName } from '../warehouse/table-names.ts'
import type { CheckedDefinition, ReadColumn } from './check-definitions.ts'
import { DOMAIN_LIMITS } from './limits.ts'

const seenSchema = z.object({
  reads: z.array(z.object({ column: z.string(), type: z.string(), values: z.array(z.string()).readonly() })).readonly(),
  /** When all columns were last seen as they are here. Unix time in milliseconds. */
  seen_at: z.number(),
  /** When a change was first seen. Null if there is none. */
  changed_at: z.number().nullable(),
})

/** The changes below a definition. They happened after `seen_at` and before `changed_at`, in Unix milliseconds. */
export interface DefinitionChanges {
  readonly changes: readonly string[]
  readonly seen_at: number
  readonly changed_at: number
}

/**
 * Remembers the columns that each definition reads, and finds what has changed since. Keeps them by the definition's text, so a
 * definition that was mended starts anew. Methods throw StoreError.
 */
export class DefinitionHistory {
  readonly #store: Pick<StateStore, 'get' | 'set' | 'delete'>
  readonly #now: () => number

  /** @param deps.now Unix time in milliseconds */
  constructor(deps: { readonly store: Pick<StateStore, 'get' | 'set' | 'delete'>; readonly now: () => number }) {
    this.#store = deps.store
    this.#now = deps.now
  }

  /** Returns what has changed since the definition was first seen, or since a person found it right. Null if nothing has. */
  async changes(definition: CheckedDefinition, schema: Schema, signal: AbortSignal): Promise<DefinitionChanges | null> {
    const key = keyOf(definitionId(definition))
    const text = await this.#store.get(key, signal)
    const now = this.#now()
    const first = { reads: definition.reads, seen_at: now, changed_at: null }
    const before = seenSchema.safeParse(parseJson(text ?? '')).data ?? first
    const changes = [...new Set(before.reads.flatMap(read => changesOf(read, schema)))]
    const changedAt = changes.length === 0 ? null : (before.changed_at ?? now)
    // Statistics come later than the schema, and so do the values.
    const reads = definition.reads.some(({ values }) => values.length > 0) ? definition.reads : before.reads
    const seen = changes.length === 0 ? { ...first, reads } : { ...before, changed_at: changedAt }
    const isNews = text === undefined || changedAt !== before.changed_at || now - before.seen_at > HOUR_MS
    if (isNews && seen.reads.length > 0) await this.#store.set(key, JSON.stringify(seen), DOMAIN_LIMITS.historySeconds, signal)
    return changedAt === null ? null : { changes, seen_at: before.seen_at, changed_at: changedAt }
  }

  /** Forgets what the definition has read. A person has found it right as it is. */
  async confirm(id: string, signal: AbortSignal): Promise<void> {
    await this.#store.delete(keyOf(id), signal)
  }
}

/** Returns a name for this text of a definition. */
export function definitionId({ kind, name, sql }: Pick<CheckedDefinition, 'kind' | 'name' | 'sql'>): string {
  const hash = createHash('sha256').update(JSON.stringify([kind, name, sql]))
  return hash.digest('hex').slice(0, 32)
}

function keyOf(id: string): string {
  return `definition:${id}:seen`
}

function changesOf({ column: name, type, values }: ReadColumn, { tables }: Schema): readonly string[] {
  const table = tables.find(each => name.startsWith(`${qualifiedName(each)}.`))
  if (table === undefined) return [`The table ${name.slice(0, name.lastIndexOf('.'))} is gone.`]
  const column = table.columns.find(each => `${qualifiedName(table)}.${each.name}` === name)
  if (column === undefined) return [`The column ${name} is gone.`]
  if (column.type !== type) return [`${name} is ${column.type} now, and was ${type}.`]
  const { statistics } = column
  // Only if all values are known, one of them can be missed. An empty table has lost all of them, and comes back as it was.
  const isWhole = statistics?.exact && statistics.distinct > 0 && statistics.samples.length >= statistics.distinct
  const gone = isWhole ? values.filter(value => !statistics.samples.includes(value)) : []
  return gone.map(value => `No row has the value ${JSON.stringify(value)} in ${name} any more.`)
}
