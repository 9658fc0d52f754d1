import { atOnce } from '../../base/at-once.ts'
import { groupFamilies, type TableFamily } from './table-families.ts'
import type { TableIndex } from './table-index.ts'
import { linkFamilies } from './table-links.ts'
import type { TableStanding } from './table-standing.ts'
import type { TableText } from './table-text.ts'
import { weighWords } from './weigh-words.ts'
import { stemsOf } from './words.ts'

/**
 * The BM25 weights of the searched fields. The longer a field is, the less each of its words weighs; `lengthPart` says by how
 * much. The numbers were tuned on the training half of `test/retrieval`.
 */
const FIELDS = {
  name: { weight: 3.5, lengthPart: 0.5 },
  database: { weight: 0.8, lengthPart: 0 },
  comment: { weight: 1.8, lengthPart: 0.3 },
  columns: { weight: 1, lengthPart: 0.5 },
  columnComments: { weight: 0.8, lengthPart: 0.5 },
  values: { weight: 0.6, lengthPart: 0.3 },
} as const
type Field = keyof typeof FIELDS

/**
 * Builds the search index of a catalog. For 10,000 tables, this takes some tenths of a second. So it must run in a thread of its
 * own.
 */
export function buildTableIndex(tables: readonly TableText[]): TableIndex {
  const { families, standings } = groupFamilies(tables)
  const fields = families.map(family => fieldsOf(family, tables))
  const postings = atOnce(weighWords(fields, FIELDS))
  const links = linkFamilies(tables, families)
  const referrers = families.map(() => 0)
  for (const { to, weight } of links.flat()) if (weight === 1) referrers[to] = (referrers[to] ?? 0) + 1
  const databases = [...new Set(tables.map(({ database }) => database))]
  const first = (family: TableFamily) => family.members[0] ?? 0
  const entries = [...postings].sort(([one], [other]) => (one < other ? -1 : 1))
  const weighed = entries.map(([, ofWord]) => [...ofWord])
  return {
    vocabulary: entries.map(([word]) => word),
    postingStarts: starts(weighed),
    postingFamilies: Uint32Array.from(weighed.flatMap(ofWord => ofWord.map(([family]) => family))),
    postingWeights: Float32Array.from(weighed.flatMap(ofWord => ofWord.map(([, weight]) => weight))),
    memberStarts: starts(families.map(({ members }) => members)),
    members: Uint32Array.from(families.flatMap(({ members }) => members)),
    priors: Float32Array.from(families.map((family, at) => priorOf(standings[first(family)], referrers[at] ?? 0))),
    familyDatabases: Uint32Array.from(families.map(family => databases.indexOf(tables[first(family)]?.database ?? ''))),
    linkStarts: starts(links),
    linkedFamilies: Uint32Array.from(links.flatMap(ofFamily => ofFamily.map(({ to }) => to))),
    linkWeights: Float32Array.from(links.flatMap(ofFamily => ofFamily.map(({ weight }) => weight))),
    variants: standings.map(({ variant }) => (variant.length === 0 ? '' : `|${variant.join('|')}|`)),
    names: tables.map(({ database, name }) => `${database}.${name}`),
  }
}

/**
 * Returns the words that represent a family (a table with its copies) in the index. They are those of its first table. If that
 * has no comment, the comment of a copy is used.
 */
function fieldsOf({ members }: TableFamily, tables: readonly TableText[]): Readonly<Record<Field, readonly string[]>> {
  const own = members.map(member => tables[member])
  const [first] = own
  const comment = own.find(table => table !== undefined && table.comment !== '')?.comment ?? ''
  return {
    name: stemsOf(first?.name),
    database: stemsOf(first?.database),
    comment: stemsOf(comment),
    columns: stemsOf(first?.columns),
    columnComments: stemsOf(first?.columnComments),
    values: stemsOf(first?.values),
  }
}

/**
 * Returns how likely questions are about a family (a table with its copies), whatever their words. Large tables, tables with
 * comments, and tables to which many others refer are more likely.
 */
function priorOf(standing: TableStanding | undefined, referrers: number): number {
  return 0.6 + 0.09 * Math.min(10, Math.max(0, standing?.standing ?? 0)) + 0.1 * Math.log2(1 + referrers)
}

function starts(lists: readonly (readonly unknown[])[]): Uint32Array<ArrayBuffer> {
  const places = new Uint32Array(lists.length + 1)
  let place = 0
  lists.forEach((list, at) => {
    places[at] = place
    place += list.length
  })
  places[lists.length] = place
  return places
}
