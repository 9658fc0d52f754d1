import { createRequire } from 'node:module'
import { z } from 'zod'

export type ChdbConnection = unknown

interface ChdbNativeResult {
  readonly bytes: Uint8Array
  /** The running time of the query in seconds. */
  readonly elapsed: number
  readonly rowsRead: number
  readonly bytesRead: number
}

/** The three functions of chDB's native module that Clew uses. */
export interface ChdbNative {
  /**
   * Opens a session on a data directory, and locks the directory if it is the first session. Synchronous. Further sessions take 0.15 ms.
   */
  CreateConnection(directory: string, engineArguments?: readonly string[]): ChdbConnection
  QueryAsyncConnection(connection: ChdbConnection, sql: string, format: string): Promise<ChdbNativeResult>
  /** Closes a session. A call during a query of the same session causes a segmentation fault. */
  CloseConnection(connection: ChdbConnection): void
}

const isFunction = z.custom(value => typeof value === 'function')
const nativeSchema = z.looseObject({
  CreateConnection: isFunction,
  QueryAsyncConnection: isFunction,
  CloseConnection: isFunction,
})

/**
 * Loads chDB's native module, without its `Session` class. That class closes a session only when no other query of the process runs. So during one
 * long query, thousands of open sessions would fill Node's heap.
 * @throws Error if this platform has no binary, or chDB has changed
 */
export function loadChdbNative(): ChdbNative {
  const require = createRequire(import.meta.url)
  const loader = createRequire(require.resolve('chdb'))('./dist/loader.js') as { loadNative?: () => unknown }
  return nativeSchema.parse(loader.loadNative?.()) as unknown as ChdbNative
}
