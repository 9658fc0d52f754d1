import { Worker } from 'node:worker_threads'
import { errorMessage } from '../../base/errors.ts'
import type { Logger } from '../../base/logger.ts'
import { compiledEntry } from '../../base/package-files.ts'
import { eachInSlices } from '../../base/slices.ts'
import { RETRIEVAL_LIMITS } from '../limits.ts'
import type { TableSchema } from '../schema.ts'
import { waitFor } from '../wait-for.ts'
import type { IndexReply, IndexRequest } from './index-thread.ts'
import { openTableSearch, type TableSearch } from './search-tables.ts'
import { indexedText, type TableText } from './table-text.ts'

/** Searches for the tables that fit a question. Needed if a prompt cannot show the whole catalog. */
export interface TableFinder {
  /**
   * Returns a search over these tables. Only the first call waits for an index. If the tables have changed later, the old index
   * is used until a new one is built in the background.
   * @throws WarehouseError of kind `cancelled`
   * @throws the error of the index thread, if there is no index yet
   */
  searchOf(tables: readonly TableSchema[], signal: AbortSignal): Promise<TableSearch>
  close(): Promise<void>
}

/** Creates a finder. All questions in this process share its search index, which a separate thread builds. */
export function createTableFinder({ logger }: { readonly logger: Logger }): TableFinder {
  const closing = new AbortController()
  let search: TableSearch | undefined
  /**
   * The tables in the index. They are compared with later lists by object identity, because unchanged columns stay the same
   * objects.
   */
  let indexed: readonly TableSchema[] = []
  let building: Promise<TableSearch> | undefined

  async function build(tables: readonly TableSchema[]): Promise<TableSearch> {
    const started = performance.now()
    const built = await buildInThread(tables, closing.signal)
    indexed = tables
    search = built
    logger.info({ tables: tables.length, elapsedMs: Math.round(performance.now() - started) }, 'catalog indexed')
    return built
  }

  return {
    searchOf: async (tables, signal) => {
      if (search !== undefined && isSameCatalog(indexed, tables)) return search
      building ??= build(tables).finally(() => {
        building = undefined
      })
      building.catch(error => {
        if (!closing.signal.aborted) logger.warn({ error: errorMessage(error) }, 'catalog not indexed')
      })
      return search ?? (await waitFor(building, signal))
    },
    close: async () => {
      closing.abort()
      await building?.catch(() => undefined)
    },
  }
}

/**
 * Whether an index of the one list also fits the other. Only names, columns and comments are searched, so row counts may differ.
 */
function isSameCatalog(before: readonly TableSchema[], now: readonly TableSchema[]): boolean {
  if (before === now) return true
  return (
    before.length === now.length &&
    before.every((table, at) => {
      const other = now[at]
      return table === other || (other !== undefined && isSameTable(table, other))
    })
  )
}

function isSameTable(one: TableSchema, other: TableSchema): boolean {
  return (
    one.name === other.name &&
    one.database === other.database &&
    one.comment === other.comment &&
    (one.columns === other.columns ||
      (one.columns.length === other.columns.length &&
        one.columns.every(
          (column, at) => column.name === other.columns[at]?.name && column.comment === other.columns[at]?.comment,
        )))
  )
}

async function buildInThread(tables: readonly TableSchema[], signal: AbortSignal): Promise<TableSearch> {
  const worker = new Worker(compiledEntry('warehouse/retrieval/index-thread'))
  const onAbort = () => void worker.terminate()
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    const replied = new Promise<IndexReply>((resolve, reject) => {
      worker.once('message', resolve)
      worker.once('error', reject)
      worker.once('exit', () => reject(new Error('the thread that indexes the catalog ended')))
    })
    replied.catch(() => undefined)
    let texts: TableText[] = []
    const send = () => {
      worker.postMessage({ tables: texts } satisfies IndexRequest)
      texts = []
    }
    await eachInSlices(tables, table => {
      texts.push(indexedText(table))
      if (texts.length === RETRIEVAL_LIMITS.tablesPerMessage) send()
    })
    send()
    worker.postMessage({ done: true } satisfies IndexRequest)
    return openTableSearch((await replied).index)
  } finally {
    signal.removeEventListener('abort', onAbort)
    await worker.terminate()
  }
}
