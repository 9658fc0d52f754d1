import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { z } from 'zod'
import { ConfigurationError } from '../../base/errors.ts'
import { packageFile } from '../../base/package-files.ts'

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
   * Opens a session on a data directory. Blocks until it is open. The first session locks the directory; each further one takes
   * 0.15 ms.
   */
  CreateConnection(directory: string, engineArguments?: readonly string[]): ChdbConnection
  QueryAsyncConnection(connection: ChdbConnection, sql: string, format: string): Promise<ChdbNativeResult>
  /** Closes a session. If a query of the session is still running, this causes a segmentation fault. */
  CloseConnection(connection: ChdbConnection): void
}

const isFunction = z.custom(value => typeof value === 'function')
const nativeSchema = z.looseObject({
  CreateConnection: isFunction,
  QueryAsyncConnection: isFunction,
  CloseConnection: isFunction,
})

const require = createRequire(import.meta.url)

/**
 * Returns the path of the package of chDB. It is installed beside Clew and not with it, because it is forty times as large.
 * @throws ConfigurationError with the command that installs it
 */
export function findChdb(): string {
  try {
    return require.resolve('chdb')
  } catch (error) {
    const { peerDependencies } = JSON.parse(readFileSync(packageFile('package.json'), 'utf8'))
    throw new ConfigurationError(
      `The embedded ClickHouse engine is not installed. \`npm install -g chdb@${peerDependencies.chdb}\` adds it, without -g in a project that has Clew among its packages. Questions to a ClickHouse server, such as CLICKHOUSE_URL=http://user:password@host:8123, do not need it.`,
      { cause: error },
    )
  }
}

/**
 * Loads chDB's native module without its `Session` class. That class closes a session only when no other query of the process
 * runs. So during one long query, thousands of sessions would stay open and fill Node's heap.
 * @throws Error if there is no binary for this platform, or chDB has changed
 */
export function loadChdbNative(): ChdbNative {
  const loader = createRequire(findChdb())('./dist/loader.js') as { loadNative?: () => unknown }
  return nativeSchema.parse(loader.loadNative?.()) as unknown as ChdbNative
}
