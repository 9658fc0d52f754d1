/** One row of the cheap table list that each turn reads from the server. */
export interface ListedTable {
  readonly database: string
  readonly name: string
  readonly engine: string
  /** A text that changes whenever the definition of the table changes. */
  readonly fingerprint: string
  /**
   * The number of seconds since the last change of the definition. A fetch in the same second as a change may miss the change.
   */
  readonly ageSeconds: number
  readonly rows: number | null
  readonly bytes: number
  /** A large catalog is split into parts by a hash of the table's name. This is the number of the table's part. */
  readonly part: number
}

/** The state of one part of the catalog, as a short text. The text changes when a table in this part is created, changed or dropped. */
export interface PartDigest {
  readonly part: number
  readonly tables: number
  readonly digest: string
  /** True if every table in the part has a modification time. If a table has none, the digest may miss its changes. */
  readonly isDated: boolean
}

/** Returns a key for a table in a map. The separator is `\0`, because names may contain dots. */
export function tableKey(table: { readonly database: string; readonly name: string }): string {
  return `${table.database}\0${table.name}`
}
