import { RETRIEVAL_LIMITS } from '../limits.ts'
import type { FocusedTable, TableSchema } from '../schema.ts'
import type { TablesAsk } from '../schema-source.ts'
import type { FoundFamily, TableSearch } from './search-tables.ts'
import { isCommon, isWeak } from './words.ts'

export interface TableNames {
  /** The tables by `database.table`. */
  readonly qualified: ReadonlyMap<string, TableSchema>
  /** The tables by their names in lower case, without the database. Several tables may have the same name. */
  readonly bare: ReadonlyMap<string, readonly TableSchema[]>
}

export function tableNames(tables: readonly TableSchema[]): TableNames {
  const qualified = new Map<string, TableSchema>()
  const bare = new Map<string, TableSchema[]>()
  for (const table of tables) {
    qualified.set(`${table.database}.${table.name}`, table)
    const name = table.name.toLowerCase()
    const others = bare.get(name)
    if (others === undefined) bare.set(name, [table])
    else others.push(table)
  }
  return { qualified, bare }
}

/**
 * Returns the tables that a question may need. Tables that it mentions by name come first, then search results. The best results
 * also have the names of their copies.
 */
export function findTables(search: TableSearch, names: TableNames, ask: TablesAsk): readonly FocusedTable[] {
  const named = namedTables(ask.text, names).map(nameOf)
  const hints = named.length === 0 ? ask.hints : new Map([...(ask.hints ?? []), ...named.map(name => [name, 1] as const)])
  const most = RETRIEVAL_LIMITS.families + (ask.without?.size ?? 0)
  const families = search.search({ ...ask, ...(hints && { hints }) }, most, name => names.qualified.has(name))
  const shown = new Set(named)
  for (const family of families) {
    const own = shownOf(family, named)
    if (ask.without !== undefined && own.every(name => ask.without?.has(name))) continue
    for (const name of own) shown.add(name)
  }
  const copies = new Map<string, readonly string[]>()
  for (const family of families.slice(0, RETRIEVAL_LIMITS.withCopies)) {
    copies.set(
      shownOf(family, named)[0] ?? '',
      family.names().filter(name => !shown.has(name)),
    )
  }
  return [...shown].slice(0, RETRIEVAL_LIMITS.families).flatMap(name => {
    const table = names.qualified.get(name)
    return table === undefined ? [] : [{ table, copies: copies.get(name) ?? [] }]
  })
}

/**
 * Returns the tables of a family (a table with its copies) that the prompt shows. Tables of the asked year or version come first,
 * then the maintained table. Tables that the question mentions by name are left out, because they are shown anyway.
 */
function shownOf({ maintained, asked }: FoundFamily, named: readonly string[]): readonly string[] {
  if (asked.length === 0) return [maintained]
  return [...new Set([...asked.filter(name => !named.includes(name)).slice(0, RETRIEVAL_LIMITS.ofFamily), maintained])]
}

/**
 * Returns the tables that a text mentions by name. A plain word such as `orders` may just be a word, so it gives only the largest
 * table of that name.
 */
function namedTables(text: string, { qualified, bare }: TableNames): readonly TableSchema[] {
  const found = new Set<TableSchema>()
  for (const [word] of text.matchAll(/[\p{L}\p{N}_$]+(?:[`"]?\.[`"]?[\p{L}\p{N}_$]+)?/gu)) {
    const table = qualified.get(word.replace(/[`"]/g, ''))
    if (table !== undefined) {
      found.add(table)
      continue
    }
    for (const part of new Set([word, ...word.split(/[`".]+/)])) {
      if (isCommon(part.toLowerCase()) || isWeak(part.toLowerCase())) continue
      const tables = [...(bare.get(part.toLowerCase()) ?? [])].sort((a, b) => (b.rows ?? 0) - (a.rows ?? 0))
      for (const own of tables.slice(0, /^\p{L}+$/u.test(part) ? 1 : RETRIEVAL_LIMITS.ofName)) found.add(own)
    }
  }
  return [...found]
}

function nameOf(table: TableSchema): string {
  return `${table.database}.${table.name}`
}
