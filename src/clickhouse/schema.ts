/** The schema as the pipeline sees it: what the catalog gathers, what prompts show, what near names are taken from. */
export interface Schema {
  readonly tables: readonly TableSchema[]
  readonly databases: readonly DatabaseSchema[]
  /** The server's version, e.g. "26.7.1.1". */
  readonly serverVersion: string
  /** The server's time zone, in which DateTime columns without one of their own are shown. */
  readonly timeZone: string
  readonly fetchedAt: string
}

export interface DatabaseSchema {
  readonly name: string
  readonly comment: string
}

export interface TableSchema {
  readonly database: string
  readonly name: string
  readonly engine: string
  readonly comment: string
  readonly primaryKey: string
  readonly sortingKey: string
  readonly partitionKey: string
  /** Absent where the table cannot be read by SAMPLE. */
  readonly samplingKey?: string
  /** Total rows, null where the engine does not know (views). */
  readonly rows: number | null
  /** The SELECT of a view or materialised view, else empty. */
  readonly viewDefinition: string
  readonly columns: readonly ColumnSchema[]
}

export interface ColumnSchema {
  readonly name: string
  readonly type: string
  readonly comment: string
  /** Absent where the value is stored as it was inserted. An EPHEMERAL column cannot be read. */
  readonly computed?: ColumnComputation
  /** Marked by the operator, or computed from such a column: its values are never sampled, shown or sent to a model, and no query may read it. */
  readonly isPrivate?: boolean
  /** Of its values, uncompressed, on average; absent where the engine does not say. */
  readonly bytesPerRow?: number
  /** Absent until gathered, and where the budget did not reach. */
  readonly statistics?: ColumnStatistics
}

/** How a column gets its value when none was inserted, in the server's words. */
export interface ColumnComputation {
  readonly kind: 'DEFAULT' | 'MATERIALIZED' | 'ALIAS' | 'EPHEMERAL'
  readonly expression: string
}

/** Gathered over `rowsScanned` rows: the whole table where it is small, a bounded part of it else (`exact` tells). */
export interface ColumnStatistics {
  readonly distinct: number
  readonly nullShare: number
  /** Of numbers and times only: the extremes of a text column would be two of its values. */
  readonly min: string | null
  readonly max: string | null
  /** True where `min` and `max` hold for the whole table although only a part was scanned (taken from its keys). */
  readonly rangeExact?: boolean
  /**
   * The most frequent real values, only of low-cardinality columns; each cut to 100 characters. Of an array its elements', of a map its
   * keys'.
   */
  readonly samples: readonly string[]
  readonly rowsScanned: number
  readonly exact: boolean
}
