/** A table as the cheap query of each turn shows it. */
export interface ListedTable {
  readonly database: string
  readonly name: string
  readonly engine: string
  /** Changes with the table's definition. */
  readonly fingerprint: string
  /** Seconds since the last change of the definition. A change in the same second as a fetch may be missing from it. */
  readonly ageSeconds: number
  readonly rows: number | null
  readonly bytes: number
  /** The part of the catalog, chosen by the table's name. */
  readonly part: number
}

/** A part's digest changes when one of its tables is made, changed or dropped. */
export interface PartDigest {
  readonly part: number
  readonly tables: number
  readonly digest: string
  /** Whether each table has a modification time. Otherwise the digest may miss changes. */
  readonly isDated: boolean
}

/** A key for a qualified name. Both parts may contain dots, so it uses another separator. */
export function tableKey(table: { readonly database: string; readonly name: string }): string {
  return `${table.database}\0${table.name}`
}
