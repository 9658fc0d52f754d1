/** A table, as the cheap query of each turn returns it. */
export interface ListedTable {
  readonly database: string
  readonly name: string
  readonly engine: string
  /** Changes whenever the definition of the table changes. */
  readonly fingerprint: string
  /**
   * The number of seconds since the last change of the definition. A fetch in the same second as a change may miss the change.
   */
  readonly ageSeconds: number
  readonly rows: number | null
  readonly bytes: number
  /** The number of the part of the catalog that contains the table: a hash of the table's name. */
  readonly part: number
}

/** The digest of one part of the catalog. It changes when a table of this part is created, changed or dropped. */
export interface PartDigest {
  readonly part: number
  readonly tables: number
  readonly digest: string
  /** Whether every table of the part has a modification time. If not, the digest may miss changes. */
  readonly isDated: boolean
}

/** Returns a key for a qualified name. The separator is no dot, because names may contain dots. */
export function tableKey(table: { readonly database: string; readonly name: string }): string {
  return `${table.database}\0${table.name}`
}
