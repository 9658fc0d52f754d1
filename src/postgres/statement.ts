import type { ClientBase, Connection, DatabaseError, FieldDef, Submittable } from 'pg'
import { socketOf } from './connection.ts'

/** The server's answer about a statement, without running it. */
export interface Analysis {
  /** The types of `$1`, `$2`, …. */
  readonly parameterTypeOids: readonly number[]
  /** The server's notices meanwhile. With `debug_print_parse`, the analyzed tree is the detail of one notice. */
  readonly notices: readonly { readonly text: string; readonly detail: string | undefined }[]
}

/** A result in the server's texts. */
export interface TextResult {
  readonly columns: readonly Pick<FieldDef, 'name' | 'dataTypeID' | 'dataTypeModifier'>[]
  readonly rows: readonly (readonly (string | null)[])[]
  /** The size of the server's answer. */
  readonly bytes: number
  /** True if the answer was larger than allowed. `rows` are then the complete ones that had arrived. */
  readonly isCut: boolean
}

/**
 * Lets the server parse, analyze and describe one statement, and does not execute it.
 * @throws the driver's DatabaseError
 */
export async function analyze(client: ClientBase, sql: string): Promise<Analysis> {
  const request = new StatementRequest(sql, 'describe')
  client.query(request)
  await request.done
  return request
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
  const request = new StatementRequest(sql, 'run')
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

/**
 * The messages Parse and Describe, if the statement runs also Bind and Execute, and what the server answers. The protocol takes a
 * single statement here. The driver calls the `handle…` methods.
 */
class StatementRequest implements Submittable, Analysis {
  columns: TextResult['columns'] = []
  readonly rows: (readonly (string | null)[])[] = []
  readonly notices: Analysis['notices'][number][] = []
  parameterTypeOids: readonly number[] = []
  readonly done: Promise<void>
  readonly #sql: string
  readonly #mode: 'describe' | 'run'
  #resolve = () => {}
  #reject: (error: Error) => void = () => {}

  constructor(sql: string, mode: 'describe' | 'run') {
    this.#sql = sql
    this.#mode = mode
    this.done = new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
  }

  submit(connection: Connection): void {
    const onNotice = ({ message, detail }: DatabaseError) => void this.notices.push({ text: message, detail })
    const onParameters = ({ dataTypeIDs }: { readonly dataTypeIDs: readonly number[] }) => {
      this.parameterTypeOids = dataTypeIDs
    }
    connection.on('notice', onNotice)
    connection.on('parameterDescription', onParameters)
    const stopListening = () => {
      connection.removeListener('notice', onNotice)
      connection.removeListener('parameterDescription', onParameters)
    }
    this.done.then(stopListening, stopListening)
    connection.stream.cork()
    connection.parse({ name: '', text: this.#sql, types: [] }, true)
    if (this.#mode === 'describe') connection.describe({ type: 'S', name: '' }, true)
    else {
      connection.bind({ portal: '', statement: '', values: [] }, true)
      connection.describe({ type: 'P', name: '' }, true)
      connection.execute({ portal: '' }, true)
    }
    connection.sync()
    connection.stream.uncork()
  }

  handleRowDescription({ fields }: { readonly fields: TextResult['columns'] }): void {
    this.columns = fields
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
