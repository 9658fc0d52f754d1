import type { EntityList } from '../../history/conversation.ts'
import { AGENT_LIMITS } from '../limits.ts'
import type { QueryReport } from '../run/result.ts'

const TEXT_TYPE = /^(?:LowCardinality\()?(?:Nullable\()?(?:LowCardinality\()?(?:String|FixedString|Enum|UUID|IPv4|IPv6)/

/**
 * Returns the names in an answer, by column of the results.
 * The names are computed from the rows and the text, so that "those" means exactly what the person saw.
 */
export function entitiesShown(answer: string, queries: readonly QueryReport[]): EntityList[] {
  const lists = new Map<string, Set<string>>()
  for (const query of queries) {
    query.columns.forEach((column, index) => {
      if (!TEXT_TYPE.test(column.type)) return
      if (!tellsRowsApart(query.rows.map(cells => cells[index]))) return
      const values = lists.get(column.name) ?? new Set<string>()
      for (const cells of query.rows) {
        const value = cells[index]
        if (
          values.size < AGENT_LIMITS.understand.entities &&
          typeof value === 'string' &&
          value !== '' &&
          containsWord(answer, value)
        )
          values.add(value)
      }
      lists.set(column.name, values)
    })
  }
  return [...lists].filter(([, values]) => values.size > 0).map(([column, values]) => ({ column, values: [...values] }))
}

/** Whether a column's values are names, and not categories. A status or a direction occurs in many rows. */
function tellsRowsApart(values: readonly unknown[]): boolean {
  return new Set(values).size * 2 >= values.length
}

/** Whether the text contains the value as a whole word. "NYCX" does not contain "NYC". */
function containsWord(text: string, value: string): boolean {
  for (let at = text.indexOf(value); at >= 0; at = text.indexOf(value, at + 1)) {
    const before = text[at - 1] ?? ' '
    const after = text[at + value.length] ?? ' '
    if (!/[\p{L}\p{N}]/u.test(before) && !/[\p{L}\p{N}]/u.test(after)) return true
  }
  return false
}
