import { parentPort } from 'node:worker_threads'
import { buildTableIndex } from './build-table-index.ts'
import { buffersOf, type TableIndex } from './table-index.ts'
import type { TableText } from './table-text.ts'

/**
 * The request for an index. Tables come in batches, so that sending a message never takes long. `done` follows the last batch and starts the work.
 */
export type IndexRequest = { readonly tables: readonly TableText[] } | { readonly done: true }
export type IndexReply = { readonly index: TableIndex }

const tables: TableText[] = []

/** This file runs as a separate thread. It builds one index, sends it to the main thread, and ends. Ending frees the memory. */
parentPort?.on('message', (request: IndexRequest) => {
  if ('tables' in request) {
    tables.push(...request.tables)
    return
  }
  const index = buildTableIndex(tables)
  parentPort?.postMessage({ index } satisfies IndexReply, buffersOf(index))
  parentPort?.close()
})
