import { parentPort } from 'node:worker_threads'
import { buildTableIndex } from './build-table-index.ts'
import { buffersOf, type TableIndex } from './table-index.ts'
import type { TableText } from './table-text.ts'

/** The request for an index. Tables arrive in batches, so that no message takes long to send. After the last batch, `done` requests the index. */
export type IndexRequest = { readonly tables: readonly TableText[] } | { readonly done: true }
export type IndexReply = { readonly index: TableIndex }

const tables: TableText[] = []

/** Builds one index in a thread of its own. After it has sent the index, the thread ends, which frees its memory. */
parentPort?.on('message', (request: IndexRequest) => {
  if ('tables' in request) {
    tables.push(...request.tables)
    return
  }
  const index = buildTableIndex(tables)
  parentPort?.postMessage({ index } satisfies IndexReply, buffersOf(index))
  parentPort?.close()
})
