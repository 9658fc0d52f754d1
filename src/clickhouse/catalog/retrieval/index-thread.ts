import { parentPort } from 'node:worker_threads'
import { buildTableIndex } from './build-table-index.ts'
import { buffersOf, type TableIndex } from './table-index.ts'
import type { TableText } from './table-text.ts'

/** Tables come some at a time, so that handing them over never takes long; `done` asks for the index. */
export type IndexRequest = { readonly tables: readonly TableText[] } | { readonly done: true }
export type IndexReply = { readonly index: TableIndex }

const tables: TableText[] = []

/** The thread that builds the index of a catalog, one for each index: it ends when it has been handed over, and gives its memory back. */
parentPort?.on('message', (request: IndexRequest) => {
  if ('tables' in request) {
    tables.push(...request.tables)
    return
  }
  const index = buildTableIndex(tables)
  parentPort?.postMessage({ index } satisfies IndexReply, buffersOf(index))
  parentPort?.close()
})
