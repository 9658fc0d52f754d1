import { z } from 'zod'

/** One row of the table list. Reading this list is cheap, so each turn reads it from the server. */
export const listedTable = z.object({
  database: z.string(),
  name: z.string(),
  engine: z.string(),
  /** A text that changes whenever the definition of the table changes. */
  fingerprint: z.string(),
  /**
   * The seconds since the last change of the definition. If this is very low, the table may change again in the same second, and
   * a fetch would miss that change.
   */
  ageSeconds: z.number(),
  rows: z.number().nullable(),
  bytes: z.number(),
  /** The number of the table's part. A large catalog is split into parts by a hash of the table's name. */
  part: z.number(),
})
export type ListedTable = Readonly<z.infer<typeof listedTable>>

/** The state of one part of the catalog. The text `digest` changes when a table in this part is created, changed or dropped. */
export const partDigest = z.object({
  part: z.number(),
  tables: z.number(),
  digest: z.string(),
  /** False if some table in the part has no modification time. The digest may then miss changes of that table. */
  isDated: z.boolean(),
})
export type PartDigest = Readonly<z.infer<typeof partDigest>>

/** Returns a key for a table in a map. The separator is `\0`, because a dot could also be part of a name. */
export function tableKey(table: { readonly database: string; readonly name: string }): string {
  return `${table.database}\0${table.name}`
}

/** Groups rows by their table, as `tableKey` names it. */
export function byTable<Row extends { readonly database: string; readonly table: string }>(
  rows: readonly Row[],
): ReadonlyMap<string, readonly Row[]> {
  const groups = new Map<string, Row[]>()
  for (const row of rows) {
    const key = tableKey({ database: row.database, name: row.table })
    const group = groups.get(key) ?? []
    groups.set(key, group)
    group.push(row)
  }
  return groups
}
