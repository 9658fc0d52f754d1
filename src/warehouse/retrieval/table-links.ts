import { RETRIEVAL_LIMITS } from '../limits.ts'
import type { TableFamily } from './table-families.ts'
import type { TableText } from './table-text.ts'
import { splitWords, stem } from './words.ts'

/** A join from one family (a table with its copies) to another. The more likely the join, the higher is `weight`, from 0 to 1. */
export interface TableLink {
  readonly to: number
  readonly weight: number
}

/** The key in a column may belong to several tables. A join to the second most likely of them gets this weight. */
const SECOND_WORTH = 0.4
/**
 * The weight of the joins from a table back to the tables that refer to it. It is divided by the square root of their number, but
 * at least by 2. With nine such joins, each gets a third.
 */
const BACK_WORTH = 1

interface Placed extends TableFamily {
  readonly database: string
}

/**
 * Finds the joins of each family (a table with its copies):
 * - to the family whose key it has as a column, perhaps with a prefix (`from_account_id` for `account_id`)
 * - to the tables that its comments or its view definition mention
 * - back to the families of the same database that refer to it, with less weight
 */
export function linkFamilies(tables: readonly TableText[], families: readonly TableFamily[]): readonly (readonly TableLink[])[] {
  const placed = families.map(family => ({ ...family, database: tables[family.members[0] ?? 0]?.database ?? '' }))
  const ownersOf = keyOwners(placed)
  const familyNamed = familiesByName(tables, families)
  const links = placed.map((family, from) => {
    const found = new Map<number, number>()
    const add = (to: number, weight: number) => found.set(to, Math.max(weight, found.get(to) ?? 0))
    for (const column of family.columns) {
      const [owner, second] = ownersOf(column, family.database)
      if (owner === undefined || owner === from) continue
      add(owner, 1)
      if (second !== undefined && second !== from) add(second, SECOND_WORTH)
    }
    const { comment = '', columnComments = '', viewDefinition = '' } = tables[family.members[0] ?? 0] ?? {}
    for (const name of namesIn(`${comment} ${columnComments} ${viewDefinition}`)) {
      const to = familyNamed.get(name)
      if (to !== undefined && to !== from) add(to, 1)
    }
    return found
  })
  return withLinksBack(placed, links).map(found =>
    [...found]
      .map(([to, weight]) => ({ to, weight }))
      .sort((a, b) => b.weight - a.weight || a.to - b.to)
      .slice(0, RETRIEVAL_LIMITS.links),
  )
}

/**
 * Adds joins from each family back to the families that refer to it. The more there are, the less weight each of these joins
 * gets.
 */
function withLinksBack(
  families: readonly Placed[],
  links: readonly ReadonlyMap<number, number>[],
): readonly ReadonlyMap<number, number>[] {
  const referrers = families.map((): number[] => [])
  links.forEach((found, from) => {
    for (const [to, weight] of found) {
      if (weight === 1 && families[to]?.database === families[from]?.database) referrers[to]?.push(from)
    }
  })
  return links.map((found, to) => {
    const from = referrers[to] ?? []
    const back = BACK_WORTH / Math.max(2, Math.sqrt(from.length))
    return new Map([...from.map(referrer => [referrer, back] as const), ...found])
  })
}

/**
 * Returns up to two families to which a key column may belong, the most likely first. Candidates are the families whose tables
 * begin with a column of this name. A similar name and the same database make a candidate more likely.
 */
function keyOwners(families: readonly Placed[]): (column: string, database: string) => readonly number[] {
  const byKey = new Map<string, number[]>()
  families.forEach(({ columns: [key = ''] }, family) => {
    const others = byKey.get(key)
    if (others === undefined) byKey.set(key, [family])
    else others.push(family)
  })
  const known = new Map<string, readonly number[]>()
  const find = (column: string, database: string): readonly number[] => {
    for (let key = column; key.includes('_'); key = key.slice(key.indexOf('_') + 1)) {
      const owners = byKey.get(key) ?? []
      if (owners.length === 0 || owners.length > RETRIEVAL_LIMITS.owners) continue
      const named = splitWords(key).slice(0, -1).map(stem)
      return owners
        .map(owner => ({ owner, fit: fitOf(families[owner], named, database) }))
        .sort((a, b) => b.fit - a.fit || a.owner - b.owner)
        .slice(0, 2)
        .map(({ owner }) => owner)
    }
    return []
  }
  return (column, database) => {
    const place = `${database}.${column}`
    const owners = known.get(place) ?? find(column, database)
    known.set(place, owners)
    return owners
  }
}

function fitOf(family: Placed | undefined, named: readonly string[], database: string): number {
  const subject = family?.subject ?? []
  const shared = named.filter(word => subject.includes(word)).length
  const called = shared === named.length ? 2 : shared / Math.max(1, named.length)
  return called - 0.5 * (subject.length - shared) + (family?.database === database ? 2 : 0)
}

function familiesByName(tables: readonly TableText[], families: readonly TableFamily[]): ReadonlyMap<string, number> {
  const byName = new Map<string, number>()
  families.forEach(({ members }, family) => {
    for (const member of members) {
      const { database = '', name = '' } = tables[member] ?? {}
      byName.set(`${database}.${name}`.toLowerCase(), family)
    }
  })
  return byName
}

function namesIn(text: string): readonly string[] {
  return [...text.matchAll(/[`"]?\b(\w+)[`"]?\.[`"]?(\w+)[`"]?/g)].map(([, database, name]) =>
    `${database}.${name}`.toLowerCase(),
  )
}
