import { createRequire } from 'node:module'
import { z } from 'zod'

/** One session of the engine; opaque. */
export type ChdbConnection = unknown

interface ChdbNativeResult {
  readonly bytes: Uint8Array
  /** Seconds. */
  readonly elapsed: number
  readonly rowsRead: number
  readonly bytesRead: number
}

/** The three functions of chDB's native module that the engine stands on. */
export interface ChdbNative {
  /** Opens a session on a data directory; the first one takes the directory's lock. Synchronous, 0.15 ms after the first. */
  CreateConnection(directory: string, engineArguments?: readonly string[]): ChdbConnection
  QueryAsyncConnection(connection: ChdbConnection, sql: string, format: string): Promise<ChdbNativeResult>
  /** Must not be called while a query of this connection runs: that is a segmentation fault. */
  CloseConnection(connection: ChdbConnection): void
}

const isFunction = z.custom(value => typeof value === 'function')
const nativeSchema = z.looseObject({
  CreateConnection: isFunction,
  QueryAsyncConnection: isFunction,
  CloseConnection: isFunction,
})

/**
 * Loads the native module below chDB's own `Session` class, which closes no session before every other query in the process has ended:
 * beside one long query, thousands of closed sessions pile up until Node's heap is full.
 * @throws Error when there is no binary for this platform, or chDB has changed
 */
export function loadChdbNative(): ChdbNative {
  const require = createRequire(import.meta.url)
  const loader = createRequire(require.resolve('chdb'))('./dist/loader.js') as { loadNative?: () => unknown }
  return nativeSchema.parse(loader.loadNative?.()) as unknown as ChdbNative
}
