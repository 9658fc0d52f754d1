import { STORE_LIMITS } from './limits.ts'
import type { StateStore } from './state-store.ts'

type Entry = { readonly expiresAt: number } & ({ readonly value: string } | { readonly items: readonly string[] })

/**
 * Creates a store in memory, for programs without Redis. Its values are lost when the process ends.
 * @param deps.now Unix time in milliseconds
 */
export function createMemoryStateStore(deps: { readonly now: () => number }): StateStore {
  const entries = new Map<string, Entry>()
  let writes = 0

  function read(key: string): Entry | undefined {
    const entry = entries.get(key)
    if (entry === undefined || entry.expiresAt > deps.now()) return entry
    entries.delete(key)
    return undefined
  }

  function write(key: string, entry: Entry): void {
    writes += 1
    // Reading a key removes its value if it has expired. Otherwise, a value that nobody reads again would stay in memory forever.
    if (writes % STORE_LIMITS.writesPerSweep === 0) for (const other of [...entries.keys()]) read(other)
    entries.set(key, entry)
  }

  return {
    async get(key, signal) {
      signal.throwIfAborted()
      const entry = read(key)
      return entry !== undefined && 'value' in entry ? entry.value : undefined
    },
    async set(key, value, ttlSeconds, signal) {
      signal.throwIfAborted()
      write(key, { value, expiresAt: deps.now() + ttlSeconds * 1000 })
    },
    async setIfUnchanged(key, before, value, ttlSeconds, signal) {
      signal.throwIfAborted()
      const entry = read(key)
      const isUnchanged = entry === undefined ? before === undefined : 'value' in entry && entry.value === before
      if (!isUnchanged) return false
      write(key, { value, expiresAt: deps.now() + ttlSeconds * 1000 })
      return true
    },
    async delete(key, signal) {
      signal.throwIfAborted()
      entries.delete(key)
    },
    async append(key, value, ttlSeconds, signal) {
      signal.throwIfAborted()
      const entry = read(key)
      const items = entry !== undefined && 'items' in entry ? entry.items : []
      write(key, { items: [...items, value], expiresAt: deps.now() + ttlSeconds * 1000 })
    },
    async list(key, signal) {
      signal.throwIfAborted()
      const entry = read(key)
      return entry !== undefined && 'items' in entry ? entry.items : []
    },
  }
}
