import { createHash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { z } from 'zod'
import { errorMessage } from '../../base/errors.ts'
import type { Logger } from '../../base/logger.ts'
import { SIZES } from '../../base/sizes.ts'
import { eachInSlices } from '../../base/slices.ts'
import type { StateStore } from '../../store/state-store.ts'
import { CATALOG_LIMITS } from '../limits.ts'
import { type CatalogEntry, catalogEntry } from './entry.ts'
import { tableKey } from './listed-table.ts'

/**
 * Part of each key in the store. Increase it when the form or meaning of an entry changes. Old values are then never read, and
 * expire.
 */
const VERSION = 3
const ZIPPED = 'gzip:'
/**
 * A value in the store. A small catalog is one value with all entries. A large catalog has one value per part, and a first value
 * that has no entries and `isParted: true`.
 */
const cachedValue = z.object({
  version: z.literal(VERSION),
  entries: z.array(catalogEntry).readonly(),
  isParted: z.boolean().optional(),
})

const zip = promisify(gzip)
const unzip = promisify(gunzip)

type Named = Pick<CatalogEntry, 'database' | 'name'>

/**
 * Shares catalog entries between processes through the store. If the store fails, answers only take longer. Invalid and old
 * values are ignored.
 */
export class SchemaCache {
  readonly #store: StateStore
  readonly #logger: Logger
  readonly #key: string

  /** @param identity separates this catalog from others in the store: the warehouse, the databases and the private columns */
  constructor(store: StateStore, logger: Logger, identity: readonly string[]) {
    this.#store = store
    this.#logger = logger
    const hash = createHash('sha256').update(JSON.stringify(identity)).digest('hex').slice(0, 32)
    this.#key = `schema:${VERSION}:${hash}`
  }

  /**
   * @param tables the tables that the caller needs; in a large catalog, only their parts are loaded, which also contain other
   * tables
   */
  async load(signal: AbortSignal, tables?: readonly Named[]): Promise<readonly CatalogEntry[]> {
    const first = await this.#loadValue(this.#key, signal)
    if (!first?.isParted) return first?.entries ?? []
    const wanted = tables === undefined ? ALL_PARTS : new Set(tables.map(partOf))
    const entries: CatalogEntry[] = []
    for (const part of wanted) {
      const value = await this.#loadValue(`${this.#key}:part${part}`, signal)
      entries.push(...(value?.entries ?? []))
    }
    return entries
  }

  /** @param tables the tables that have changed; in a large catalog, only their parts are saved. Default: all parts */
  async save(entries: readonly CatalogEntry[], signal: AbortSignal, tables?: readonly Named[]): Promise<void> {
    if (entries.length <= CATALOG_LIMITS.largeTables) {
      await this.#saveValue(this.#key, { version: VERSION, entries }, signal)
      return
    }
    const changed = tables === undefined ? ALL_PARTS : new Set(tables.map(partOf))
    const parts = new Map([...changed].map(part => [part, [] as CatalogEntry[]]))
    await eachInSlices(entries, entry => void parts.get(partOf(entry))?.push(entry))
    for (const [part, own] of parts) {
      await this.#saveValue(`${this.#key}:part${part}`, { version: VERSION, entries: own }, signal)
      await nextTurn()
    }
    await this.#saveValue(this.#key, { version: VERSION, entries: [], isParted: true }, signal)
  }

  /**
   * Claims a piece of work, so that only this process does it. If the store fails, returns true, so that the work is done anyway.
   * @param ttlSeconds must be longer than the work can take; otherwise `unlock` could remove another process's lock
   */
  async tryLock(work: string, ttlSeconds: number, signal: AbortSignal): Promise<boolean> {
    const key = `${this.#key}:${work}`
    const isLocked = await this.#attempt('schema cache not locked', signal, () =>
      this.#store.setIfUnchanged(key, undefined, '1', ttlSeconds, signal),
    )
    return isLocked ?? true
  }

  async unlock(work: string): Promise<void> {
    // Not the caller's signal: the lock must be released even while the catalog is closing.
    const signal = AbortSignal.timeout(CATALOG_LIMITS.lockWaitMs)
    await this.#attempt('schema cache not unlocked', signal, () => this.#store.delete(`${this.#key}:${work}`, signal))
  }

  async #loadValue(key: string, signal: AbortSignal): Promise<z.infer<typeof cachedValue> | undefined> {
    return this.#attempt('schema cache not read', signal, async () => {
      const text = await this.#store.get(key, signal)
      return text === undefined ? undefined : cachedValue.parse(JSON.parse(await decode(text)))
    })
  }

  async #saveValue(key: string, value: z.input<typeof cachedValue>, signal: AbortSignal): Promise<void> {
    await this.#attempt('schema cache not written', signal, async () => {
      await this.#store.set(key, await encode(JSON.stringify(value)), CATALOG_LIMITS.cacheSeconds, signal)
    })
  }

  async #attempt<Value>(failure: string, signal: AbortSignal, act: () => Promise<Value>): Promise<Value | undefined> {
    try {
      return await act()
    } catch (error) {
      if (!signal.aborted) this.#logger.warn({ error: errorMessage(error) }, failure)
      return undefined
    }
  }
}

const ALL_PARTS: Iterable<number> = Array.from({ length: CATALOG_LIMITS.parts }, (_, part) => part)

/**
 * Returns the number of the part that contains a table. Hashes the table's name with FNV-1a. So the parts have similar sizes, and
 * every process computes the same number.
 */
function partOf(table: Named): number {
  let hash = 2_166_136_261
  const key = tableKey(table)
  for (let at = 0; at < key.length; at++) hash = Math.imul(hash ^ key.charCodeAt(at), 16_777_619) >>> 0
  return hash % CATALOG_LIMITS.parts
}

async function encode(text: string): Promise<string> {
  if (text.length <= CATALOG_LIMITS.compressBytes) return text
  return ZIPPED + (await zip(text)).toString('base64')
}

async function decode(text: string): Promise<string> {
  if (!text.startsWith(ZIPPED)) return text
  const packed = Buffer.from(text.slice(ZIPPED.length), 'base64')
  return (await unzip(packed, { maxOutputLength: SIZES.recordBytes })).toString('utf8')
}
