import type { ClientBase, Connection, DatabaseError, Submittable } from 'pg'

/** A column of a statement's result, as the server describes it before the statement runs. */
export interface DescribedColumn {
  readonly name: string
  readonly typeOid: number
  /** The type's modifier, such as precision and scale of `numeric`. -1 if there is none. */
  readonly typeModifier: number
  /** The column's table, or 0 if the column is not simply a table's column. */
  readonly tableOid: number
  /** The column's number in its table, or 0. */
  readonly columnNumber: number
}

export interface Analysis {
  /** Empty if the statement returns no rows. */
  readonly columns: readonly DescribedColumn[]
  /** The types of `$1`, `$2`, …. */
  readonly parameterTypeOids: readonly number[]
  /** The server's notices meanwhile. With `debug_print_parse`, the analyzed tree is the detail of one notice. */
  readonly notices: readonly AnalysisNotice[]
}

export interface AnalysisNotice {
  readonly text: string
  readonly detail: string | undefined
}

/**
 * Lets the server parse, analyze and describe one statement, and does not execute it. The protocol takes a single statement here.
 * @throws the driver's DatabaseError
 */
export function analyze(client: ClientBase, sql: string): Promise<Analysis> {
  return new Promise((resolve, reject) => {
    client.query(new AnalysisRequest(sql, resolve, reject))
  })
}

/** The server's message about the columns of a result, as the driver reads it. */
export interface RowDescription {
  readonly fields: readonly {
    readonly name: string
    readonly tableID: number
    readonly columnID: number
    readonly dataTypeID: number
    readonly dataTypeModifier: number
  }[]
}

export function describedColumns({ fields }: RowDescription): readonly DescribedColumn[] {
  return fields.map(({ name, tableID, columnID, dataTypeID, dataTypeModifier }) => ({
    name,
    typeOid: dataTypeID,
    typeModifier: dataTypeModifier,
    tableOid: tableID,
    columnNumber: columnID,
  }))
}

/** The messages Parse, Describe and Sync, and what the server answers. The driver calls the `handle…` methods. */
class AnalysisRequest implements Submittable {
  readonly #sql: string
  readonly #resolve: (analysis: Analysis) => void
  readonly #reject: (error: Error) => void
  readonly #notices: AnalysisNotice[] = []
  #columns: readonly DescribedColumn[] = []
  #parameterTypeOids: readonly number[] = []
  #stopListening = () => {}

  constructor(sql: string, resolve: (analysis: Analysis) => void, reject: (error: Error) => void) {
    this.#sql = sql
    this.#resolve = resolve
    this.#reject = reject
  }

  submit(connection: Connection): void {
    const onNotice = ({ message, detail }: DatabaseError) => void this.#notices.push({ text: message, detail })
    const onParameters = ({ dataTypeIDs }: { readonly dataTypeIDs: readonly number[] }) => {
      this.#parameterTypeOids = dataTypeIDs
    }
    connection.on('notice', onNotice)
    connection.on('parameterDescription', onParameters)
    this.#stopListening = () => {
      connection.removeListener('notice', onNotice)
      connection.removeListener('parameterDescription', onParameters)
    }
    connection.stream.cork()
    connection.parse({ name: '', text: this.#sql, types: [] }, true)
    connection.describe({ type: 'S', name: '' }, true)
    connection.sync()
    connection.stream.uncork()
  }

  handleRowDescription(description: RowDescription): void {
    this.#columns = describedColumns(description)
  }

  handleReadyForQuery(): void {
    this.#stopListening()
    this.#resolve({ columns: this.#columns, parameterTypeOids: this.#parameterTypeOids, notices: this.#notices })
  }

  handleError(error: Error): void {
    this.#stopListening()
    this.#reject(error)
  }
}
