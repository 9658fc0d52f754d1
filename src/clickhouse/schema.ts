/** The schema as the pipeline sees it: what the catalog gathers, what prompts show, what near names are taken from. */
export interface Schema {
  readonly tables: readonly TableSchema[]
  readonly databases: readonly DatabaseSchema[]
  /** The server's version, e.g. "26.7.1.1". */
  readonly serverVersion: string
  /** The server's time zone, in which DateTime columns without one of their own are shown. */
  readonly timeZone: string
  readonly fetchedAt: string
  /** Parts that prompts leave out, to measure what they are worth; none when absent. */
  readonly withheld?: readonly SchemaPart[]
  /** Set where there are more tables than a prompt can hold: what of them this question is shown. `tables` are all the same all of them. */
  readonly focus?: SchemaFocus
}

/** The tables that one question may need, out of a large catalog. */
export interface SchemaFocus {
  /** Best first. */
  readonly tables: readonly FocusedTable[]
  /** The words of what is asked, by which the columns of wide tables are chosen. */
  readonly words: ReadonlySet<string>
  /** The tables beyond those that were shown first, which held no answer. */
  readonly isSecondLook: boolean
}

export interface FocusedTable {
  readonly table: TableSchema
  /** Near-duplicates of it that are not shown, as `database.table`: backups, years, layers. */
  readonly copies: readonly string[]
}

/** `ranges` are extremes of numbers and times, `keys` also what tells rows apart, `engine_notes` also TTL and how states are read. */
export type SchemaPart = 'comments' | 'samples' | 'ranges' | 'row_counts' | 'keys' | 'views' | 'joins' | 'engine_notes'

export interface DatabaseSchema {
  readonly name: string
  readonly comment: string
}

export interface TableName {
  readonly database: string
  readonly name: string
}

export interface TableSchema extends TableName {
  readonly engine: string
  readonly comment: string
  readonly primaryKey: string
  readonly sortingKey: string
  readonly partitionKey: string
  /** Absent where the table cannot be read by SAMPLE. */
  readonly samplingKey?: string
  /** Columns that the engine is told of, in its order: a version and a mark of deletion, a sign, what is summed. */
  readonly engineColumns?: readonly string[]
  /** When rows go, in the server's words. */
  readonly ttl?: string
  /** The table that a Distributed or Buffer table shows, that a dictionary is read from, or that a materialised view fills. */
  readonly linked?: TableName
  /** Total rows, null where the engine does not know (views). */
  readonly rows: number | null
  /** The SELECT of a view or materialised view, else empty. */
  readonly viewDefinition: string
  readonly columns: readonly ColumnSchema[]
  /** How many different values the columns of the sorting key have together; absent until gathered. */
  readonly key?: KeyStatistics
  /** How far columns hold values of other tables' columns; absent until gathered. */
  readonly overlaps?: readonly ValueOverlap[]
}

/** Counted exactly over `rowsScanned` rows, which are all rows where `exact`. */
export interface KeyStatistics {
  readonly distinct: number
  readonly rowsScanned: number
  readonly exact: boolean
}

/** Of up to a thousand different values (or combinations) of some columns, how many the columns of another table have. NULL, 0 and '' are no values. */
export interface ValueOverlap {
  readonly columns: readonly string[]
  readonly table: TableName
  readonly tableColumns: readonly string[]
  readonly values: number
  readonly found: number
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
  /** The paths that were seen in a JSON column, by name; likewise. */
  readonly paths?: readonly JsonPath[]
}

/** A path that values of a JSON column have. */
export interface JsonPath {
  /** Its names with dots between, as the server gives it. */
  readonly path: string
  /** Each that its values have. */
  readonly types: readonly string[]
  /** Kept for a path with a single type. */
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
