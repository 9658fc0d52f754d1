import { readStanding, type TableStanding } from './table-standing.ts'
import type { TableText } from './table-text.ts'

/**
 * Two tables are copies only if they share enough columns: at least the part `ofSmaller` of the table with fewer columns, and the
 * part `ofLarger` of the other table.
 */
const LEAST_SHARED = { ofSmaller: 0.75, ofLarger: 0.5 }

/** A table with its copies: backups, yearly tables, and layers such as raw and cleaned data. */
export interface TableFamily {
  /**
   * The tables of the family, as positions in the list of all tables. The one that is most likely kept up to date comes first.
   */
  readonly members: readonly number[]
  readonly subject: readonly string[]
  readonly columns: readonly string[]
}

interface OpenFamily {
  readonly members: number[]
  readonly subject: ReadonlySet<string>
  readonly columns: ReadonlySet<string>
}

/**
 * Groups tables and their copies into families. Two tables are copies if one name contains all subject words of the other, and if
 * they share most columns. So tables of the same name with different columns are separate families.
 */
export function groupFamilies(tables: readonly TableText[]): {
  readonly families: readonly TableFamily[]
  readonly standings: readonly TableStanding[]
} {
  const standings = tables.map(readStanding)
  const standing = (table: number) => standings[table]?.standing ?? 0
  const order = tables.map((_, table) => table).sort((a, b) => standing(b) - standing(a) || a - b)
  const families: OpenFamily[] = []
  const bySubject = new Map<string, OpenFamily[]>()
  for (const table of order) {
    const subject = new Set(standings[table]?.subject)
    const columns = new Set(tables[table]?.columns.split(' '))
    const family = nearestFamily(subject, columns, bySubject)
    if (family !== undefined) {
      family.members.push(table)
      continue
    }
    const opened = { members: [table], subject, columns }
    families.push(opened)
    for (const word of subject) {
      const others = bySubject.get(word)
      if (others === undefined) bySubject.set(word, [opened])
      else others.push(opened)
    }
  }
  return {
    standings,
    families: families.map(({ members, subject, columns }) => ({ members, subject: [...subject], columns: [...columns] })),
  }
}

function nearestFamily(
  subject: ReadonlySet<string>,
  columns: ReadonlySet<string>,
  bySubject: ReadonlyMap<string, readonly OpenFamily[]>,
): OpenFamily | undefined {
  const shared = new Map<OpenFamily, number>()
  for (const word of subject) for (const family of bySubject.get(word) ?? []) shared.set(family, (shared.get(family) ?? 0) + 1)
  let nearest: { readonly family: OpenFamily; readonly likeness: number } | undefined
  for (const [family, words] of shared) {
    if (words < Math.min(subject.size, family.subject.size)) continue
    const likeness = likenessOf(columns, family.columns)
    if (likeness > (nearest?.likeness ?? 0)) nearest = { family, likeness }
  }
  return nearest?.family
}

/** Returns how similar the columns of two tables are: 1 if they are the same, and 0 if they differ too much for copies. */
function likenessOf(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const [smaller, larger] = one.size < other.size ? [one, other] : [other, one]
  let shared = 0
  for (const column of smaller) if (larger.has(column)) shared++
  const isCopy = shared >= LEAST_SHARED.ofSmaller * smaller.size && shared >= LEAST_SHARED.ofLarger * larger.size
  return isCopy ? shared / larger.size : 0
}
