import { createRequire } from 'node:module'
import { z } from 'zod'

/** An opaque handle of one session. */
export type ChdbConnection = unknown

interface ChdbNativeResult {
  readonly bytes: Uint8Array
  /** In seconds. */
  readonly elapsed: number
  readonly rowsRead: number
  readonly bytesRead: number
}

/** The three functions of chDB's native module that Clew uses. */
export interface ChdbNative {
  /** Opens a session on a data directory. The first session locks the directory. The call is synchronous; further sessions take 0.15 ms. */
  CreateConnection(directory: string, engineArguments?: readonly string[]): ChdbConnection
  QueryAsyncConnection(connection: ChdbConnection, sql: string, format: string): Promise<ChdbNativeResult>
  /** Never call this while a query of the session runs, since that causes a segmentation fault. */
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
 * long query, thousands of open sessions would fill the heap of Node.
 * @throws Error if this platform has no binary, or chDB has changed
 */
export function loadChdbNative(): ChdbNative {
  const require = createRequire(import.meta.url)
  const loader = createRequire(require.resolve('chdb'))('./dist/loader.js') as { loadNative?: () => unknown }
  return nativeSchema.parse(loader.loadNative?.()) as unknown as ChdbNative
}
