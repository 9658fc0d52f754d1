/** The schema of a data source, as the catalog has read it. Prompts show it, and similar names are suggested from it. */
export interface Schema {
  readonly tables: readonly TableSchema[]
  readonly databases: readonly DatabaseSchema[]
  /** The server's version, such as "26.7.1.1". */
  readonly serverVersion: string
  /** The server's product, such as "PostgreSQL". Undefined for ClickHouse. */
  readonly product?: string
  /** The server's time zone. It applies to DateTime columns without a time zone of their own. */
  readonly timeZone: string
  readonly fetchedAt: string
  /** Parts of the schema that prompts leave out, so that an evaluation can measure how much they help. Normally undefined. */
  readonly withheld?: readonly SchemaPart[]
  /** The tables that this question's prompts show. Defined only if a prompt cannot show all; `tables` still lists all. */
  readonly focus?: SchemaFocus
}

/** A selection from a large catalog: the tables that one question may need. */
export interface SchemaFocus {
  /** The chosen tables, the most likely first. */
  readonly tables: readonly FocusedTable[]
  /** The words of the question. They decide which columns of a wide table the prompts show. */
  readonly words: ReadonlySet<string>
  /** True if these tables are a second choice, made because the first one did not lead to an answer. */
  readonly isSecondLook: boolean
}

export interface FocusedTable {
  readonly table: TableSchema
  /** Copies of the table that the prompt does not show, as `database.table`: backups, yearly tables or layers. */
  readonly copies: readonly string[]
}

/**
 * The parts of a schema that a prompt can leave out. `ranges` are the minimum and maximum of numbers and times. `keys` also
 * includes the columns that identify a row. `engine_notes` also includes the TTL and how to read aggregate states.
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
  /** The key for SAMPLE queries. Undefined if the table does not support SAMPLE. */
  readonly samplingKey?: string
  /**
   * The columns in the engine's arguments, in that order. For example, the version and the deletion mark of a ReplacingMergeTree,
   * or the columns to sum.
   */
  readonly engineColumns?: readonly string[]
  /** The table's TTL rule for deleting rows, in the server's spelling. */
  readonly ttl?: string
  /**
   * Another table that this table reads or fills: the table behind a Distributed or Buffer table, the source of a dictionary, or
   * the target of a materialized view.
   */
  readonly linked?: TableName
  /** The number of rows in the table. Null if the engine does not know it; a view is an example. */
  readonly rows: number | null
  /** The SELECT that defines a view or materialized view. Empty for other tables. */
  readonly viewDefinition: string
  readonly columns: readonly ColumnSchema[]
  /** The number of distinct values of the sorting key. Undefined until statistics are gathered. */
  readonly key?: KeyStatistics
  /**
   * How many values the columns of this table have in common with columns of other tables. Undefined until statistics are
   * gathered.
   */
  readonly overlaps?: readonly ValueOverlap[]
  /** The foreign keys that the table declares, if the server enforces them. */
  readonly references?: readonly DeclaredReference[]
}

/** A foreign key: each value of `columns` occurs once in `tableColumns` of the other table. */
export interface DeclaredReference {
  readonly columns: readonly string[]
  readonly table: TableName
  readonly tableColumns: readonly string[]
}

/**
 * Statistics of the sorting key in `rowsScanned` rows. `distinct` is exact for these rows. `exact` is true if they are all rows
 * of the table.
 */
export interface KeyStatistics {
  readonly distinct: number
  readonly rowsScanned: number
  readonly exact: boolean
}

/**
 * How many values two tables share. `values` is the number of distinct values of `columns` that were compared, at most about a
 * thousand. `found` of these also occur in `tableColumns` of the other table. NULL, 0 and '' are not compared.
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
  /** The type in the server's own spelling, such as `numeric(10,2)`. Undefined for ClickHouse, whose spelling `type` has. */
  readonly nativeType?: string
  readonly comment: string
  /** How the engine computes the column. Undefined if its values are simply inserted. */
  readonly computed?: ColumnComputation
  /**
   * True if the operator has marked the column as private, or if it is computed from such a column. Its values are never sampled,
   * shown or sent to a model, and no query is allowed to read it.
   */
  readonly isPrivate?: boolean
  /** The average uncompressed size of a value, in bytes. Undefined if the engine does not report the size. */
  readonly bytesPerRow?: number
  /** Undefined until statistics are gathered, and for a column that the limits of the gathering left out. */
  readonly statistics?: ColumnStatistics
  /** The paths found in a JSON column, sorted by name. Undefined under the same conditions as `statistics`. */
  readonly paths?: readonly JsonPath[]
}

export interface JsonPath {
  /** The names on the path, joined by dots in the server's spelling: `user.age`. */
  readonly path: string
  /** All types that values at this path have. */
  readonly types: readonly string[]
  /** Statistics of the values at this path. Undefined if they have several types. */
  readonly statistics?: ColumnStatistics
}

/**
 * How a column gets its value if none is inserted. `expression` is in the server's spelling. An EPHEMERAL column cannot be read.
 */
export interface ColumnComputation {
  readonly kind: 'DEFAULT' | 'MATERIALIZED' | 'ALIAS' | 'EPHEMERAL'
  readonly expression: string
}

/** Statistics of the scanned rows. `exact` is true if all rows of the table were scanned. Of a large table, only some are. */
export interface ColumnStatistics {
  readonly distinct: number
  readonly nullShare: number
  /**
   * The smallest and largest value of a number or time column. Null for a text column: the two texts would be values of real
   * rows.
   */
  readonly min: string | null
  readonly max: string | null
  /**
   * True if `min` and `max` hold for the whole table, either because all rows were scanned or because they come from its keys.
   */
  readonly rangeExact?: boolean
  /**
   * The most frequent values of a column with few distinct values, each cut to 100 characters. For an array, these are elements;
   * for a map, keys.
   */
  readonly samples: readonly string[]
  readonly rowsScanned: number
  readonly exact: boolean
}
