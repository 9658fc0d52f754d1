/** The schema: the catalog gathers it, prompts show it, and suggestions of near names come from it. */
export interface Schema {
  readonly tables: readonly TableSchema[]
  readonly databases: readonly DatabaseSchema[]
  /** The server's version, e.g. "26.7.1.1". */
  readonly serverVersion: string
  /** The server's time zone. DateTime columns without one of their own are shown in it. */
  readonly timeZone: string
  readonly fetchedAt: string
  /** Parts that prompts leave out, to measure the worth of each. Absent: none. */
  readonly withheld?: readonly SchemaPart[]
  /** Set if a prompt cannot hold all tables: what this question is shown. `tables` still has all of them. */
  readonly focus?: SchemaFocus
}

/** The tables of a large catalog that one question may need. */
export interface SchemaFocus {
  /** Best first. */
  readonly tables: readonly FocusedTable[]
  /** Words of the question, which select the columns of wide tables. */
  readonly words: ReadonlySet<string>
  /** These tables come after a first selection without an answer. */
  readonly isSecondLook: boolean
}

export interface FocusedTable {
  readonly table: TableSchema
  /** Hidden near-duplicates, as `database.table`: backups, years, layers. */
  readonly copies: readonly string[]
}

/** `ranges` are minimum and maximum of numbers and times. `keys` includes the row grain. `engine_notes` includes TTL and how to read states. */
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
  /** Absent if SAMPLE is not possible. */
  readonly samplingKey?: string
  /** Columns in the engine's arguments, in order: a version and deletion mark, a sign, columns to sum. */
  readonly engineColumns?: readonly string[]
  /** When rows are deleted, in the server's words. */
  readonly ttl?: string
  /** The table behind a Distributed or Buffer table, the source of a dictionary, or the target of a materialized view. */
  readonly linked?: TableName
  /** Total rows. Null if the engine does not know (views). */
  readonly rows: number | null
  /** The SELECT of a view or materialized view, else empty. */
  readonly viewDefinition: string
  readonly columns: readonly ColumnSchema[]
  /** How many distinct combinations the sorting key has. Absent until gathered. */
  readonly key?: KeyStatistics
  /** How many values the columns share with other tables' columns. Absent until gathered. */
  readonly overlaps?: readonly ValueOverlap[]
}

/** An exact count over `rowsScanned` rows. These are all rows if `exact`. */
export interface KeyStatistics {
  readonly distinct: number
  readonly rowsScanned: number
  readonly exact: boolean
}

/** How many of up to a thousand distinct values (or combinations) another table has. NULL, 0 and '' do not count. */
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
  /** Absent if the column stores the inserted value. An EPHEMERAL column cannot be read. */
  readonly computed?: ColumnComputation
  /** Marked by the operator, or computed from such a column. Its values are never sampled, shown or sent to a model, and no query may read it. */
  readonly isPrivate?: boolean
  /** The average uncompressed bytes per value. Absent if the engine does not say. */
  readonly bytesPerRow?: number
  /** Absent until gathered, or if the budget ran out. */
  readonly statistics?: ColumnStatistics
  /** Paths seen in a JSON column, by name. Absent like `statistics`. */
  readonly paths?: readonly JsonPath[]
}

/** A path in the values of a JSON column. */
export interface JsonPath {
  /** Names joined by dots, as the server gives it. */
  readonly path: string
  /** All types of its values. */
  readonly types: readonly string[]
  /** Present for a path with a single type. */
  readonly statistics?: ColumnStatistics
}

/** How a column without an inserted value gets one, in the server's words. */
export interface ColumnComputation {
  readonly kind: 'DEFAULT' | 'MATERIALIZED' | 'ALIAS' | 'EPHEMERAL'
  readonly expression: string
}

/** Statistics over `rowsScanned` rows: the whole table if it is small, else a limited part (see `exact`). */
export interface ColumnStatistics {
  readonly distinct: number
  readonly nullShare: number
  /** For numbers and times only, since for a text column these would be two of its values. */
  readonly min: string | null
  readonly max: string | null
  /** `min` and `max` hold for the whole table although only a part was scanned: they come from its keys. */
  readonly rangeExact?: boolean
  /** The most frequent values of low-cardinality columns, each cut to 100 characters. For an array its elements, for a map its keys. */
  readonly samples: readonly string[]
  readonly rowsScanned: number
  readonly exact: boolean
}
