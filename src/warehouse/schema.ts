/** The schema of a data source. The catalog gathers it, and prompts show it. Similar names for suggestions come from it. */
export interface Schema {
  readonly tables: readonly TableSchema[]
  readonly databases: readonly DatabaseSchema[]
  /** The server's version, e.g. "26.7.1.1". */
  readonly serverVersion: string
  /** The time zone of the server. It applies to DateTime columns without their own zone. */
  readonly timeZone: string
  readonly fetchedAt: string
  /** The parts that prompts leave out, for measuring what each part is worth. If absent, prompts leave out nothing. */
  readonly withheld?: readonly SchemaPart[]
  /** The tables that the prompts of this question show, if a prompt cannot hold all of them. `tables` still has all tables. */
  readonly focus?: SchemaFocus
}

/** The tables of a large catalog that one question may need. */
export interface SchemaFocus {
  /** The selected tables, best first. */
  readonly tables: readonly FocusedTable[]
  /** The words of the question. They decide which columns of wide tables are shown. */
  readonly words: ReadonlySet<string>
  /** Whether this is the second selection, which is made if the first one gave no answer. */
  readonly isSecondLook: boolean
}

export interface FocusedTable {
  readonly table: TableSchema
  /** Near-duplicates that the prompt does not show, as `database.table`: backups, years, layers. */
  readonly copies: readonly string[]
}

/**
 * The parts of a schema that a prompt can leave out. `ranges` are the minimum and maximum of numbers and times. `keys` includes the row grain.
 * `engine_notes` includes the TTL, and advice on reading aggregate states.
 */
export type SchemaPart = 'types' | 'comments' | 'samples' | 'ranges' | 'row_counts' | 'keys' | 'views' | 'joins' | 'engine_notes'

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
  /** Absent if the table does not support SAMPLE. */
  readonly samplingKey?: string
  /**
   * The columns in the arguments of the table's engine, in order. Examples: a version and a deletion mark, a sign, or the columns to sum.
   */
  readonly engineColumns?: readonly string[]
  /** The rule for deleting rows, in the server's words. */
  readonly ttl?: string
  /** The table behind a Distributed or Buffer table, the source of a dictionary, or the target of a materialized view. */
  readonly linked?: TableName
  /** The number of rows. Null if the engine does not know it, as for a view. */
  readonly rows: number | null
  /** The SELECT of a view or materialized view. Empty for other tables. */
  readonly viewDefinition: string
  readonly columns: readonly ColumnSchema[]
  /** The number of distinct combinations of the sorting key's columns. Absent until gathered. */
  readonly key?: KeyStatistics
  /** How many values the columns of this table share with columns of other tables. Absent until gathered. */
  readonly overlaps?: readonly ValueOverlap[]
}

/** The number of distinct keys, counted exactly in `rowsScanned` rows. If `exact` is true, these are all rows of the table. */
export interface KeyStatistics {
  readonly distinct: number
  readonly rowsScanned: number
  readonly exact: boolean
}

/**
 * A comparison of up to a thousand distinct values (or combinations of values) with another table. Counts those that the other table has. NULL, 0 and
 * '' do not count.
 */
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
  /** How the column gets its value, if the value is not simply inserted. An EPHEMERAL column cannot be read. */
  readonly computed?: ColumnComputation
  /**
   * True if the operator marked the column, or if it is computed from a marked one. Its values are never sampled, shown or sent to a model. No query
   * may read it.
   */
  readonly isPrivate?: boolean
  /** The average uncompressed bytes per value. Absent if the engine does not report the size. */
  readonly bytesPerRow?: number
  /** Absent until gathered, and if the budget for gathering was spent before. */
  readonly statistics?: ColumnStatistics
  /** The paths seen in a JSON column, sorted by name. Absent like `statistics`. */
  readonly paths?: readonly JsonPath[]
}

export interface JsonPath {
  /** The names on the path, joined by dots, as the server returns them. */
  readonly path: string
  /** The types of all values at this path. */
  readonly types: readonly string[]
  /** Present if all values at this path have the same type. */
  readonly statistics?: ColumnStatistics
}

/** The server's words for how a column gets its value if none is inserted. */
export interface ColumnComputation {
  readonly kind: 'DEFAULT' | 'MATERIALIZED' | 'ALIAS' | 'EPHEMERAL'
  readonly expression: string
}

/**
 * Statistics of `rowsScanned` rows. If `exact` is true, these are all rows. Otherwise they are a limited part of a large table.
 */
export interface ColumnStatistics {
  readonly distinct: number
  readonly nullShare: number
  /** Only number and time columns have `min` and `max`. For a text column, these would reveal two values. */
  readonly min: string | null
  readonly max: string | null
  /** True if `min` and `max` hold for the whole table although only a part was scanned, because they come from the table's keys. */
  readonly rangeExact?: boolean
  /**
   * The most frequent values of a low-cardinality column, each cut to 100 characters. An array column has elements here, and a map column has keys.
   */
  readonly samples: readonly string[]
  readonly rowsScanned: number
  readonly exact: boolean
}
