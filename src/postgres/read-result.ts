import type { ClientBase, Connection, Submittable } from 'pg'
import { type DescribedColumn, describedColumns, type RowDescription } from './analyze.ts'
import { socketOf } from './connection.ts'

/** A result in the server's texts. */
export interface TextResult {
  readonly columns: readonly DescribedColumn[]
  readonly rows: readonly (readonly (string | null)[])[]
  /** The size of the server's answer. */
  readonly bytes: number
  /** True if the answer was larger than allowed. `rows` are then the complete ones that had arrived. */
  readonly isCut: boolean
}

/**
 * Runs one statement and reads its result. If the answer exceeds `maxBytes`, cuts the connection, even within a value: the server
 * then ends the statement as soon as it sends more.
 * @throws the driver's error
 */
export async function readResult(client: ClientBase, sql: string, maxBytes: number): Promise<TextResult> {
  const socket = socketOf(client)
  let bytes = 0
  const count = (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > maxBytes) socket.destroy()
  }
  const request = new ReadRequest(sql)
  socket.on('data', count)
  try {
    client.query(request)
    await request.done
  } catch (error) {
    if (bytes <= maxBytes) throw error
  } finally {
    socket.off('data', count)
  }
  return { columns: request.columns, rows: request.rows, bytes: Math.min(bytes, maxBytes), isCut: bytes > maxBytes }
}

/** The messages Parse, Bind, Describe, Execute and Sync, and what the server answers. The driver calls the `handle…` methods. */
class ReadRequest implements Submittable {
  columns: readonly DescribedColumn[] = []
  readonly rows: (readonly (string | null)[])[] = []
  readonly done: Promise<void>
  readonly #sql: string
  #resolve = () => {}
  #reject: (error: Error) => void = () => {}

  constructor(sql: string) {
    this.#sql = sql
    this.done = new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
  }

  submit(connection: Connection): void {
    connection.stream.cork()
    connection.parse({ name: '', text: this.#sql, types: [] }, true)
    connection.bind({ portal: '', statement: '', values: [] }, true)
    connection.describe({ type: 'P', name: '' }, true)
    connection.execute({ portal: '' }, true)
    connection.sync()
    connection.stream.uncork()
  }

  handleRowDescription(description: RowDescription): void {
    this.columns = describedColumns(description)
  }

  handleDataRow({ fields }: { readonly fields: readonly (string | null)[] }): void {
    this.rows.push(fields)
  }

  handleCommandComplete(): void {
    // The statement's end. The driver goes on when the server is ready again.
  }

  handleEmptyQuery(): void {
    // An empty text has an empty result.
  }

  handleReadyForQuery(): void {
    this.#resolve()
  }

  handleError(error: Error): void {
    this.#reject(error)
  }
}
