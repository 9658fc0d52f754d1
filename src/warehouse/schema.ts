/** The schema of a data source. The catalog gathers it. Prompts and suggestions of similar names are made from it. */
export interface Schema {
  readonly tables: readonly TableSchema[]
  readonly databases: readonly DatabaseSchema[]
  /** The server's version, such as "26.7.1.1". */
  readonly serverVersion: string
  /** The server's time zone. It applies to DateTime columns without a time zone of their own. */
  readonly timeZone: string
  readonly fetchedAt: string
  /** The parts of the schema that prompts leave out, in order to measure their worth. If undefined, prompts leave out nothing. */
  readonly withheld?: readonly SchemaPart[]
  /** The tables that this question's prompts show, if a prompt cannot show all of them. The list `tables` is still complete. */
  readonly focus?: SchemaFocus
}

/** A selection from a large catalog: the tables that one question may need. */
export interface SchemaFocus {
  /** The chosen tables, the most likely first. */
  readonly tables: readonly FocusedTable[]
  /** The words of the question. They decide which columns of a wide table the prompt shows. */
  readonly words: ReadonlySet<string>
  /** True for a second choice of tables. It is made if the first choice gave no answer. */
  readonly isSecondLook: boolean
}

export interface FocusedTable {
  readonly table: TableSchema
  /** Copies of the table that the prompt leaves out, as `database.table`. They may be backups, years or layers. */
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
  /** The key for SAMPLE queries. Undefined if the table does not support SAMPLE. */
  readonly samplingKey?: string
  /** The columns that the table's engine has as arguments, in order. Examples: a version and a deletion mark, a sign, or the columns to sum. */
  readonly engineColumns?: readonly string[]
  /** The table's TTL rule for deleting rows, as the server prints it. */
  readonly ttl?: string
  /**
   * Another table that this table reads or fills: the table behind a Distributed or Buffer table, the source of a dictionary, or the target of a
   * materialized view.
   */
  readonly linked?: TableName
  /** The number of rows in the table. Null if the engine does not know it, as for a view. */
  readonly rows: number | null
  /** The SELECT that defines a view or materialized view. Empty for other tables. */
  readonly viewDefinition: string
  readonly columns: readonly ColumnSchema[]
  /** The number of distinct values of the sorting key. Undefined until statistics are gathered. */
  readonly key?: KeyStatistics
  /** How many values the columns of this table have in common with columns of other tables. Undefined until statistics are gathered. */
  readonly overlaps?: readonly ValueOverlap[]
}

/** The number of distinct keys, counted exactly in `rowsScanned` rows. `exact` is true if these are all rows of the table. */
export interface KeyStatistics {
  readonly distinct: number
  readonly rowsScanned: number
  readonly exact: boolean
}

/**
 * Shows how many values two tables share. `values` is the number of compared distinct values in `columns`, at most about a
 * thousand. `found` is the number of these that `tableColumns` of the other table also has. NULL, 0 and '' are left out.
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
  /** How the engine computes the column, if its values are not simply inserted. An EPHEMERAL column cannot be read. */
  readonly computed?: ColumnComputation
  /**
   * True if the operator has marked the column as private, or if it is computed from such a column. Its values are never sampled, shown or sent
   * to a model. No query may read it.
   */
  readonly isPrivate?: boolean
  /** The average uncompressed size of a value, in bytes. Undefined if the engine does not report the size. */
  readonly bytesPerRow?: number
  /** Undefined until statistics are gathered, or if the budget for gathering ran out before this column. */
  readonly statistics?: ColumnStatistics
  /** The paths found in a JSON column, sorted by name. Undefined under the same conditions as `statistics`. */
  readonly paths?: readonly JsonPath[]
}

export interface JsonPath {
  /** The names on the path, joined by dots as the server prints them: `user.age`. */
  readonly path: string
  /** All types that values at this path have. */
  readonly types: readonly string[]
  /** Statistics of the values at this path. Undefined if the values have several types. */
  readonly statistics?: ColumnStatistics
}

/** How a column gets its value if none is inserted: a kind, and an expression as the server prints it. */
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
  /** The smallest and largest value of a number or time column. Null for a text column, because they would reveal two of its values. */
  readonly min: string | null
  readonly max: string | null
  /** True if `min` and `max` are exact although only a part of the table was scanned. They then come from the table's keys. */
  readonly rangeExact?: boolean
  /**
   * The most frequent values of a column with few distinct values, each cut to 100 characters. For an array column these are elements, and for a
   * map column keys.
   */
  readonly samples: readonly string[]
  readonly rowsScanned: number
  readonly exact: boolean
}
