import type { TextRange } from '../figures/figure.ts'

/** Splits a text at marks and at words such as "while". A comma inside a number does not count. */
export function clausesOf(text: string): TextRange[] {
  const clauses: TextRange[] = []
  let start = 0
  for (const match of text.matchAll(
    /;|:\s|—|,?\s(?:but|while|whereas|and|then|followed|ahead|before|aber|während|gefolgt|vor|und|dann)\s|,\s(?!\d)/giu,
  )) {
    clauses.push({ start, end: match.index })
    start = match.index + match[0].length
  }
  clauses.push({ start, end: text.length })
  return clauses
}

/** Returns the clause that contains a span, or else the whole text. */
export function clauseAt({ start, end }: TextRange, text: string): TextRange {
  return clausesOf(text).find(clause => start >= clause.start && end <= clause.end) ?? { start: 0, end: text.length }
}
