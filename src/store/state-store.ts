/**
 * The store of all data outside the warehouse: conversations, checkpoints, traces, the schema cache. Values are JSON texts, and
 * whoever reads a value parses it with zod. All keys of a conversation contain the same hash tag, `{thread}`, so that a Redis
 * Cluster keeps them on one node.
 */
export interface StateStore {
  get(key: string, signal: AbortSignal): Promise<string | undefined>
  /** Sets a value that expires after `ttlSeconds`. */
  set(key: string, value: string, ttlSeconds: number, signal: AbortSignal): Promise<void>
  /**
   * Sets a value only if the current value is `before`. If `before` is undefined, there must be no value. Returns whether the
   * value was set.
   */
  setIfUnchanged(
    key: string,
    before: string | undefined,
    value: string,
    ttlSeconds: number,
    signal: AbortSignal,
  ): Promise<boolean>
  delete(key: string, signal: AbortSignal): Promise<void>
  /** Appends a value to a list. The whole list then expires after `ttlSeconds`. */
  append(key: string, value: string, ttlSeconds: number, signal: AbortSignal): Promise<void>
  /** Returns all values of a list, in the order in which they were appended. Empty if there is no list. */
  list(key: string, signal: AbortSignal): Promise<readonly string[]>
}
