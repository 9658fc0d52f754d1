/**
 * Stores everything outside the warehouse: conversations, checkpoints, traces, the schema cache. Values are text (JSON that the reader parses with
 * zod). Keys of one conversation contain its hash tag, `{thread}`, so that a Redis Cluster keeps them together.
 */
export interface StateStore {
  get(key: string, signal: AbortSignal): Promise<string | undefined>
  /** Sets a value for `ttlSeconds`. */
  set(key: string, value: string, ttlSeconds: number, signal: AbortSignal): Promise<void>
  /** Sets a value only if it still is `before`, or absent if that is undefined. Returns whether it did. */
  setIfUnchanged(
    key: string,
    before: string | undefined,
    value: string,
    ttlSeconds: number,
    signal: AbortSignal,
  ): Promise<boolean>
  delete(key: string, signal: AbortSignal): Promise<void>
  /** Appends to a list and renews its life. */
  append(key: string, value: string, ttlSeconds: number, signal: AbortSignal): Promise<void>
  /** Returns the whole list in order of its appends, empty if there is none. */
  list(key: string, signal: AbortSignal): Promise<readonly string[]>
}
