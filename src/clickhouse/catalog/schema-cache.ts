import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { z } from 'zod'
import { errorMessage } from '../../errors.ts'
import type { Logger } from '../../logger.ts'
import type { StateStore } from '../../store/state-store.ts'
import { type CatalogEntry, catalogEntry } from './catalog-entry.ts'
import { CATALOG_LIMITS } from './catalog-limits.ts'

/** Part of the key: a change of the entry's shape or meaning makes another, and old values die of age. */
const VERSION = 1
const ZIPPED = 'gzip:'
const cachedValue = z.object({ version: z.literal(VERSION), entries: z.array(catalogEntry) })

const zip = promisify(gzip)
const unzip = promisify(gunzip)

/**
 * The part of the catalog that processes share. Best effort throughout: a store that fails costs time, never an answer, and a value
 * that is broken or of another version counts as none.
 */
export class SchemaCache {
  readonly #store: StateStore
  readonly #logger: Logger
  readonly #key: string

  /** @param identity what tells one catalog from another: warehouse, databases, private columns */
  constructor(store: StateStore, logger: Logger, identity: readonly string[]) {
    this.#store = store
    this.#logger = logger
    const hash = createHash('sha256').update(JSON.stringify(identity)).digest('hex').slice(0, 32)
    this.#key = `schema:${VERSION}:${hash}`
  }

  async load(signal: AbortSignal): Promise<readonly CatalogEntry[]> {
    const entries = await this.#attempt('schema cache not read', signal, async () => {
      const text = await this.#store.get(this.#key, signal)
      return text === undefined ? [] : cachedValue.parse(JSON.parse(await decode(text))).entries
    })
    return entries ?? []
  }

  async save(entries: readonly CatalogEntry[], signal: AbortSignal): Promise<void> {
    await this.#attempt('schema cache not written', signal, async () => {
      const text = await encode(JSON.stringify({ version: VERSION, entries }))
      await this.#store.set(this.#key, text, CATALOG_LIMITS.cacheSeconds, signal)
    })
  }

  /**
   * Asks to be the one process that does a piece of work; a store that cannot be asked says yes.
   * @param ttlSeconds longer than the work can take, so that nobody's release hits another's lock
   */
  async tryLock(work: 'tables' | 'statistics', ttlSeconds: number, signal: AbortSignal): Promise<boolean> {
    const key = `${this.#key}:${work}`
    const isLocked = await this.#attempt('schema cache not locked', signal, () =>
      this.#store.setIfAbsent(key, '1', ttlSeconds, signal),
    )
    return isLocked ?? true
  }

  async unlock(work: 'tables' | 'statistics'): Promise<void> {
    // A signal of its own: the lock is given back on closing too.
    const signal = AbortSignal.timeout(CATALOG_LIMITS.lockWaitMs)
    await this.#attempt('schema cache not unlocked', signal, () => this.#store.delete(`${this.#key}:${work}`, signal))
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

async function encode(text: string): Promise<string> {
  if (text.length <= CATALOG_LIMITS.compressBytes) return text
  return ZIPPED + (await zip(text)).toString('base64')
}

async function decode(text: string): Promise<string> {
  if (!text.startsWith(ZIPPED)) return text
  return (await unzip(Buffer.from(text.slice(ZIPPED.length), 'base64'))).toString('utf8')
}
