import { createRequire } from 'node:module'
import { z } from 'zod'

/** An opaque handle of one session. */
export type ChdbConnection = unknown

interface ChdbNativeResult {
  readonly bytes: Uint8Array
  /** Seconds. */
  readonly elapsed: number
  readonly rowsRead: number
  readonly bytesRead: number
}

/** The three functions of chDB's native module that the engine uses. */
export interface ChdbNative {
  /** Opens a session on a data directory. The first one locks the directory. Synchronous; 0.15 ms after the first. */
  CreateConnection(directory: string, engineArguments?: readonly string[]): ChdbConnection
  QueryAsyncConnection(connection: ChdbConnection, sql: string, format: string): Promise<ChdbNativeResult>
  /** Never call this while a query of the connection runs: it causes a segmentation fault. */
  CloseConnection(connection: ChdbConnection): void
}

const isFunction = z.custom(value => typeof value === 'function')
const nativeSchema = z.looseObject({
  CreateConnection: isFunction,
  QueryAsyncConnection: isFunction,
  CloseConnection: isFunction,
})

/**
 * Loads the native module below chDB's `Session` class. That class closes no session until every other query of the process has ended. Beside one
 * long query, thousands of sessions would fill Node's heap.
 * @throws Error if this platform has no binary, or chDB has changed
 */
export function loadChdbNative(): ChdbNative {
  const require = createRequire(import.meta.url)
  const loader = createRequire(require.resolve('chdb'))('./dist/loader.js') as { loadNative?: () => unknown }
  return nativeSchema.parse(loader.loadNative?.()) as unknown as ChdbNative
}
