import type { QueryText } from '../../warehouse/query-validator.ts'
import { type SqlToken, splitTokens } from '../../warehouse/sql/sql-tokens.ts'
import { lastPart } from '../../warehouse/table-names.ts'

/**
 * Returns the table that a qualifier means, as `database.table`. The qualifier is an alias in the canonical text (`dz_links AS l`), or the table's
 * own name. Returns undefined for subqueries, CTEs and unknown names. Use it for messages only, not for decisions.
 */
export function tableOfAlias(qualifier: string, { canonical, tables }: QueryText): string | undefined {
  const named = tables.find(table => table === qualifier || lastPart(table) === qualifier)
  const tokens = splitTokens(canonical) ?? []
  for (const [index, token] of tokens.entries()) {
    if (token.text !== 'AS' || tokens[index + 1]?.value !== qualifier) continue
    const table = tableEndingAt(tokens, index - 1, tables)
    if (table !== undefined) return table
  }
  return named
}

function tableEndingAt(tokens: readonly SqlToken[], index: number, tables: readonly string[]): string | undefined {
  const [database, dot, name] = [tokens[index - 2], tokens[index - 1], tokens[index]]
  if (name === undefined) return undefined
  if (dot?.text === '.') return tables.find(table => table === `${database?.value}.${name.value}`)
  return tables.find(table => lastPart(table) === name.value)
}
