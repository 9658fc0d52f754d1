/**
 * The store of everything that is not the warehouse's: conversations, checkpoints, traces, the schema cache. Values are text (JSON that its
 * reader parses with zod). Keys that belong to one conversation carry its hash tag, `{thread}`, so that a Redis Cluster keeps them together.
 */
export interface StateStore {
  get(key: string, signal: AbortSignal): Promise<string | undefined>
  /** Sets a value that lives for `ttlSeconds`. */
  set(key: string, value: string, ttlSeconds: number, signal: AbortSignal): Promise<void>
  /** Sets a value only where it still is `before`, or absent where that is undefined; tells whether it did. */
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
  /** The whole list in the order of its appends; empty where there is none. */
  list(key: string, signal: AbortSignal): Promise<readonly string[]>
}
