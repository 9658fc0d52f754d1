/**
 * The store of all data outside the warehouse: conversations, checkpoints, traces, the schema cache. Values are text (JSON; whoever reads a value
 * parses it with zod). All keys of one conversation contain the same hash tag, `{thread}`, so that a Redis Cluster keeps these keys on one node.
 */
export interface StateStore {
  get(key: string, signal: AbortSignal): Promise<string | undefined>
  /** Sets a value, which expires after `ttlSeconds`. */
  set(key: string, value: string, ttlSeconds: number, signal: AbortSignal): Promise<void>
  /** Sets a value only if the current value is `before`. If `before` is undefined, the key must be absent. Returns whether the value was set. */
  setIfUnchanged(
    key: string,
    before: string | undefined,
    value: string,
    ttlSeconds: number,
    signal: AbortSignal,
  ): Promise<boolean>
  delete(key: string, signal: AbortSignal): Promise<void>
  /** Appends a value to a list. The list then lives for `ttlSeconds` from now. */
  append(key: string, value: string, ttlSeconds: number, signal: AbortSignal): Promise<void>
  /** Returns all values of a list in the order in which they were appended. Returns an empty list if the key is absent. */
  list(key: string, signal: AbortSignal): Promise<readonly string[]>
}
