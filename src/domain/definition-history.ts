import { createHash } from 'node:crypto'
import { z } from 'zod'
import { DAY_MS, HOUR_MS } from '../base/durations.ts'
import { parseJson } from '../base/text/parse-json.ts'
import type { StateStore } from '../store/state-store.ts'
import type { ColumnSchema, Schema } from '../warehouse/schema.ts'
import { qualifiedName } from '../warehouse/table-names.ts'
import type { CheckedDefinition, ReadColumn } from './check-definitions.ts'

const seenSchema = z.object({
  reads: z.array(z.object({ column: z.string(), type: z.string(), values: z.array(z.string()) })),
  /** When all columns were last seen as they are here. Unix time in milliseconds. */
  at: z.number(),
  /** When a change was first seen. Null if there is none. */
  changed_at: z.number().nullable(),
})
type Seen = z.infer<typeof seenSchema>

/** What changed below a definition. The change happened after `seen_at` and before `changed_at`, in Unix milliseconds. */
export interface DefinitionChanges {
  readonly changes: readonly string[]
  readonly seen_at: number
  readonly changed_at: number
}

/** A year without a look at the definitions, and they are compared anew. */
const KEPT_SECONDS = (365 * DAY_MS) / 1000

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
    const before = seenSchema.safeParse(parseJson((await this.#store.get(key, signal)) ?? '')).data
    const now = this.#now()
    if (before === undefined) {
      if (definition.reads.length > 0)
        await this.#keep(key, { reads: merged(definition.reads, []), at: now, changed_at: null }, signal)
      return null
    }
    const changes = before.reads.flatMap(read => changesOf(read, schema))
    if (changes.length > 0) {
      const changedAt = before.changed_at ?? now
      if (before.changed_at === null) await this.#keep(key, { ...before, changed_at: changedAt }, signal)
      return { changes: [...new Set(changes)], seen_at: before.at, changed_at: changedAt }
    }
    // A read of the page writes at most once an hour.
    if (before.changed_at !== null || now - before.at > HOUR_MS)
      await this.#keep(key, { reads: merged(before.reads, definition.reads), at: now, changed_at: null }, signal)
    return null
  }

  /** Takes the columns as they are now. A person has found the definition right. */
  async confirm(id: string, signal: AbortSignal): Promise<void> {
    await this.#store.delete(keyOf(id), signal)
  }

  async #keep(key: string, seen: Seen, signal: AbortSignal): Promise<void> {
    await this.#store.set(key, JSON.stringify(seen), KEPT_SECONDS, signal)
  }
}

/** Returns a name for this text of a definition. */
export function definitionId({ kind, name, sql }: Pick<CheckedDefinition, 'kind' | 'name' | 'sql'>): string {
  return createHash('sha256')
    .update(JSON.stringify([kind, name, sql]))
    .digest('hex')
    .slice(0, 32)
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
  if (column.isPrivate) return [`${name} is private now.`]
  const known = allValues(column)
  const gone = known === undefined ? [] : values.filter(value => !known.includes(value))
  return gone.map(value => `No row has the value ${JSON.stringify(value)} in ${name} any more.`)
}

/** Returns the column's values if all of them are known. */
function allValues({ statistics }: ColumnSchema): readonly string[] | undefined {
  if (statistics === undefined || !statistics.exact || statistics.distinct === 0) return undefined
  return statistics.samples.length >= statistics.distinct ? statistics.samples : undefined
}

/** Adds values that were first seen now. Statistics may come later than the schema. */
function merged(before: readonly ReadColumn[], now: readonly ReadColumn[]): Seen['reads'] {
  const later = new Map(now.map(each => [each.column, each.values]))
  return before.map(({ column, type, values }) => ({
    column,
    type,
    values: [...new Set([...values, ...(later.get(column) ?? [])])],
  }))
}
