import { scopeOf } from '../attachment.ts'
import type { CheckedText } from '../parse-text.ts'
import type { Problem } from '../unsupported-figure.ts'
import { clauseAt } from './clauses.ts'
import { containsName } from './row-names.ts'

/** Matches words in front of NULL that deny it: "IS NOT NULL", "no NULL". */
const DENIED = /(?<!\p{L})(?:not|no|never|without|kein\p{L}*|nicht|ohne)\s(?:\p{L}+\s)?$/iu

/**
 * Reports "has vendor NULL" if the cited column holds a value there. The rows are those of the names in the clause, or all rows.
 * Only a clause that contains the name of a cited column is checked.
 */
export function wrongNull({ parsed: { text, mentions }, grounds: { results } }: CheckedText): Problem | undefined {
  for (const { index } of text.matchAll(/(?<![\p{L}_])NULL(?![\p{L}_])/gu)) {
    if (DENIED.test(text.slice(Math.max(0, index - 30), index))) continue
    const { start, end } = clauseAt({ start: index, end: index + 4 }, text)
    const clause = text.slice(start, end)
    const named = mentions.filter(mention => mention.start >= start && mention.end <= end)
    const cited = results.flatMap(result => {
      const known = named.filter(({ rows }) => rows.has(result.id))
      const all = result.truncated ? [] : [...Array(result.rowCount).keys()]
      const rows = known.length > 0 ? (scopeOf(known, [result]).get(result.id) ?? []) : all
      const columns = [...result.numbers, ...result.times]
      const texts = result.textColumns.map(name => ({
        name,
        values: rows.map(row => (result.hasText(name, row) ? 1 : Number.NaN)),
      }))
      return [
        ...columns.map(({ name, values }) => ({ name, values: rows.map(row => values[row] ?? Number.NaN) })),
        ...texts,
      ].filter(({ name }) => containsName(clause, name))
    })
    const [first] = cited
    if (first === undefined || cited.some(({ values }) => values.length === 0 || values.some(Number.isNaN))) continue
    return { text: 'NULL', reason: `${first.name} is not NULL there` }
  }
  return undefined
}
