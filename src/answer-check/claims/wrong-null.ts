import type { Parsed } from '../parse-text.ts'
import type { ResultIndex } from '../rows/result-index.ts'
import type { Problem } from '../unsupported-figure.ts'
import { clauseAt } from './clauses.ts'
import { containsName } from './row-names.ts'

/** Matches words in front of NULL that deny it: "IS NOT NULL", "no NULL". */
const DENIED = /(?<!\p{L})(?:not|no|never|without|kein\p{L}*|nicht|ohne)\s(?:\p{L}+\s)?$/iu

/**
 * Reports "has vendor NULL" if the cited column holds a value there. The rows are those of the names in the clause, or all rows.
 * Only a clause that contains the name of a cited column is checked.
 */
export function wrongNull({ text, mentions }: Parsed, results: readonly ResultIndex[]): Problem | undefined {
  for (const { index } of text.matchAll(/(?<![\p{L}_])NULL(?![\p{L}_])/gu)) {
    if (DENIED.test(text.slice(Math.max(0, index - 30), index))) continue
    const { start, end } = clauseAt({ start: index, end: index + 4 }, text)
    const clause = text.slice(start, end)
    const named = mentions.filter(mention => mention.start >= start && mention.end <= end)
    const cells = results.flatMap(result =>
      columnsOf(result)
        .filter(({ name }) => containsName(clause, name))
        .map(column => ({
          column,
          rows: rowsOf(
            result,
            named.map(({ rows }) => rows),
          ),
        })),
    )
    const [first] = cells
    if (first === undefined || cells.some(({ column, rows }) => rows.length === 0 || rows.some(column.isNull))) continue
    return { text: 'NULL', reason: `${first.column.name} is not NULL there` }
  }
  return undefined
}

interface NullableColumn {
  readonly name: string
  readonly isNull: (row: number) => boolean
}

function columnsOf(result: ResultIndex): NullableColumn[] {
  const measured = [...result.numbers, ...result.times].map(({ name, values }) => ({
    name,
    isNull: (row: number) => Number.isNaN(values[row] ?? Number.NaN),
  }))
  return [...measured, ...result.textColumns.map(name => ({ name, isNull: (row: number) => !result.hasText(name, row) }))]
}

/** Returns the rows that all names share. Returns all rows without names, and none if the result is cut. */
function rowsOf({ id, rowCount, truncated }: ResultIndex, names: readonly ReadonlyMap<string, readonly number[]>[]): number[] {
  const own = names.flatMap(rows => {
    const found = rows.get(id)
    return found === undefined ? [] : [new Set(found)]
  })
  if (own.length === 0) return truncated ? [] : Array.from({ length: rowCount }, (_, row) => row)
  return [...(own[0] ?? [])].filter(row => own.every(rows => rows.has(row)))
}
