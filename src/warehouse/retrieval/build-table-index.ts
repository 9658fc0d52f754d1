import { groupFamilies, type TableFamily } from './table-families.ts'
import type { TableIndex } from './table-index.ts'
import { linkFamilies } from './table-links.ts'
import type { TableStanding } from './table-standing.ts'
import type { TableText } from './table-text.ts'
import { splitWords, stem } from './words.ts'

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
const FIELD_NAMES = Object.keys(FIELDS) as Field[]
/** The BM25 parameter k1. With a low value, further matches of the same word add little. */
const SATURATION = 1.4

/**
 * Builds the search index of a catalog. For 10,000 tables, this takes some tenths of a second. So it must run in a thread of its
 * own.
 */
export function buildTableIndex(tables: readonly TableText[]): TableIndex {
  const { families, standings } = groupFamilies(tables)
  const postings = weighWords(families.map(family => fieldsOf(family, tables)))
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
    name: stems(first?.name),
    database: stems(first?.database),
    comment: stems(comment),
    columns: stems(first?.columns),
    columnComments: stems(first?.columnComments),
    values: stems(first?.values),
  }
}

function stems(text = ''): readonly string[] {
  return splitWords(text).map(stem)
}

/** Computes the weight of each word in each family (a table with its copies). */
function weighWords(
  families: readonly Readonly<Record<Field, readonly string[]>>[],
): ReadonlyMap<string, ReadonlyMap<number, number>> {
  const counted = new Map<string, Map<number, number>>()
  for (const field of FIELD_NAMES) {
    const { weight, lengthPart } = FIELDS[field]
    const length = families.reduce((sum, family) => sum + family[field].length, 0) / Math.max(1, families.length)
    families.forEach((family, at) => {
      const words = family[field]
      const worth = weight / (1 - lengthPart + (lengthPart * words.length) / Math.max(1, length))
      // A word may occur in many columns of a table, such as `_id` or a prefix. It is counted once, or it would outweigh all
      // other words.
      for (const word of new Set(words)) {
        const ofWord = counted.get(word) ?? new Map<number, number>()
        counted.set(word, ofWord)
        ofWord.set(at, (ofWord.get(at) ?? 0) + worth)
      }
    })
  }
  for (const ofWord of counted.values()) {
    const rarity = Math.log(1 + (families.length - ofWord.size + 0.5) / (ofWord.size + 0.5))
    for (const [family, worth] of ofWord) ofWord.set(family, (rarity * worth * (1 + SATURATION)) / (worth + SATURATION))
  }
  return counted
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
