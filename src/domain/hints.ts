import { splitWords, stem } from '../warehouse/retrieval/words.ts'
import type { DomainPack } from './pack.ts'
import { similarQueries } from './similar-queries.ts'

/** The weight of a table that a definition names. The best result of the table search has the same weight. */
const WORTH = 1

/**
 * Finds the tables that the domain pack connects with a question: by its terms, its metrics, and similar verified queries.
 * @param database the database of tables that are named without one
 * @returns the weight of each table, as `database.table`; some of the tables may not exist
 */
export function domainHints(
  text: string,
  { terms, metrics, verifiedQueries }: Pick<DomainPack, 'terms' | 'metrics' | 'verifiedQueries'>,
  database: string,
): ReadonlyMap<string, number> {
  const said = new Set(splitWords(text).map(stem))
  const isSaid = (phrase: string) => {
    const words = splitWords(phrase).map(stem)
    return words.length > 0 && words.every(word => said.has(word))
  }
  const named = [
    ...terms.filter(({ term, also }) => [term, ...also].some(isSaid)).flatMap(({ means }) => qualifiedNames(means)),
    ...metrics.filter(({ name }) => isSaid(name)).flatMap(({ from }) => tablesOf(`FROM ${from}`, database)),
    ...similarQueries(text, verifiedQueries).flatMap(({ sql }) => tablesOf(sql, database)),
  ]
  return new Map(named.map(table => [table, WORTH]))
}

/** Finds the names in a text that look like `database.table`. */
export function qualifiedNames(text: string): readonly string[] {
  return [...text.matchAll(/[`"]?\b(\w+)[`"]?\.[`"]?(\w+)[`"]?/g)].map(([, database, table]) => `${database}.${table}`)
}

/**
 * Finds the words after FROM, JOIN and IN, which are mostly tables. Other words have no effect, because no table has their name.
 */
function tablesOf(sql: string, database: string): readonly string[] {
  return [...sql.matchAll(/\b(?:FROM|JOIN|IN)\s+[`"]?(\w+)[`"]?(?:\.[`"]?(\w+)[`"]?)?/gi)].map(([, first, second]) =>
    second === undefined ? `${database}.${first}` : `${first}.${second}`,
  )
}
