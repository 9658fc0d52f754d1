import { splitWords, stem } from '../../clickhouse/catalog/retrieval/words.ts'
import type { DomainPack } from './domain-pack.ts'
import { similarQueries } from './similar-queries.ts'

/** What the operator wrote for a question counts as much as the best find. */
const WORTH = 1

/**
 * The tables that the domain pack names for what a question speaks of: in what a term means, in a metric's definition, in verified queries that are like it.
 * @param database of names that are written without one
 * @returns how much each table matters, as `database.table`; some may not exist
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

function qualifiedNames(text: string): readonly string[] {
  return [...text.matchAll(/[`"]?\b(\w+)[`"]?\.[`"]?(\w+)[`"]?/g)].map(([, database, table]) => `${database}.${table}`)
}

/** A hint, not a parser: what is no table is none of the catalog. */
function tablesOf(sql: string, database: string): readonly string[] {
  return [...sql.matchAll(/\b(?:FROM|JOIN|IN)\s+[`"]?(\w+)[`"]?(?:\.[`"]?(\w+)[`"]?)?/gi)].map(([, first, second]) =>
    second === undefined ? `${database}.${first}` : `${first}.${second}`,
  )
}
