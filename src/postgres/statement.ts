import { once } from 'node:events'
import pg from 'pg'
import { socketOf } from './connection.ts'

/** A notice of the server. With `debug_print_parse`, the analyzed tree is the detail of one notice. */
export type Notice = Pick<pg.DatabaseError, 'message' | 'detail'>

/** A result in the server's texts. */
export interface TextResult {
  readonly columns: readonly Pick<pg.FieldDef, 'name' | 'dataTypeID' | 'dataTypeModifier'>[]
  readonly rows: readonly (readonly (string | null)[])[]
  /** The size of the server's answer. */
  readonly bytes: number
  /** True if the answer was larger than allowed. `rows` are then the complete ones that had arrived. */
  readonly isCut: boolean
}

/**
 * Lets the server parse, analyze and describe one statement, and does not execute it. Returns the server's notices meanwhile.
 * @throws the driver's DatabaseError
 */
export async function analyze(client: pg.ClientBase, sql: string): Promise<readonly Notice[]> {
  const notices: Notice[] = []
  const onNotice = ({ message = '', detail }: Partial<Notice>) => void notices.push({ message, detail })
  client.on('notice', onNotice)
  try {
    await once(client.query(new Description(sql)), 'end')
  } finally {
    client.off('notice', onNotice)
  }
  return notices
}

/**
 * Runs one statement and reads its result. If the answer exceeds `maxBytes`, cuts the connection, even within a value: the server
 * then ends the statement as soon as it sends more.
 * @throws the driver's error
 */
export async function readResult(client: pg.ClientBase, sql: string, maxBytes: number): Promise<TextResult> {
  const socket = socketOf(client)
  let bytes = 0
  let columns: TextResult['columns'] = []
  const rows: (readonly (string | null)[])[] = []
  const count = (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > maxBytes) socket.destroy()
  }
  socket.on('data', count)
  try {
    // The extended protocol takes a single statement.
    const asTexts = { text: sql, rowMode: 'array', queryMode: 'extended', types: { getTypeParser: () => String } }
    const query = client.query(new pg.Query(asTexts))
    query.on('row', (row, result) => {
      columns = result?.fields ?? []
      rows.push(row)
    })
    const [{ fields }] = await once(query, 'end')
    columns = fields
  } catch (error) {
    if (bytes <= maxBytes) throw error
  } finally {
    socket.off('data', count)
  }
  return { columns, rows, bytes: Math.min(bytes, maxBytes), isCut: bytes > maxBytes }
}

/** A query that ends after the messages Parse and Describe. */
class Description extends pg.Query {
  constructor(sql: string) {
    super(sql)
    this.submit = connection => {
      connection.stream.cork()
      connection.parse({ name: '', text: sql, types: [] }, true)
      connection.describe({ type: 'S', name: '' }, true)
      connection.sync()
      connection.stream.uncork()
    }
  }
}
