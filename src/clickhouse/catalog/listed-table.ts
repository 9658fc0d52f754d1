/** A table as the one cheap query that each turn makes sees it. */
export interface ListedTable {
  readonly database: string
  readonly name: string
  readonly engine: string
  /** Changes with the table's definition. */
  readonly fingerprint: string
  /** Seconds between the last change of the definition and now; a change in the same second as a fetch may have been missed by it. */
  readonly ageSeconds: number
  readonly rows: number | null
  readonly bytes: number
  /** Of the catalog, by the table's name. */
  readonly part: number
}

/** What a part of the catalog is like: another digest where a table was made, changed or dropped. */
export interface PartDigest {
  readonly part: number
  readonly tables: number
  readonly digest: string
  /** Whether each table says when it was changed; where one does not, the digest does not tell everything. */
  readonly isDated: boolean
}

/** One key for a qualified name. Both parts may hold dots, so a dot would not do. */
export function tableKey(table: { readonly database: string; readonly name: string }): string {
  return `${table.database}\0${table.name}`
}
