import { parentPort } from 'node:worker_threads'
import { buildTableIndex } from './build-table-index.ts'
import { buffersOf, type TableIndex } from './table-index.ts'
import type { TableText } from './table-text.ts'

/**
 * A message to the index thread. Tables are sent in batches, because a long message would block the sender. `done` follows the
 * last batch and starts the work.
 */
export type IndexRequest = { readonly tables: readonly TableText[] } | { readonly done: true }
export type IndexReply = { readonly index: TableIndex }

const tables: TableText[] = []

/** This file runs as a separate thread. It builds one index, sends it to the main thread, and exits, which frees its memory. */
parentPort?.on('message', (request: IndexRequest) => {
  if ('tables' in request) {
    tables.push(...request.tables)
    return
  }
  const index = buildTableIndex(tables)
  parentPort?.postMessage({ index } satisfies IndexReply, buffersOf(index))
  parentPort?.close()
})
