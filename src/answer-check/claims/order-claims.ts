import type { Figure } from '../figures/figure.ts'
import { SAYS } from '../figures/wording.ts'
import type { Mention } from '../mentions.ts'
import { columnsNamed, wordsBeside } from '../rows/column-words.ts'
import type { NumberColumn, ResultIndex } from '../rows/result-index.ts'
import type { Match } from '../support.ts'

/** Matches a restriction of a superlative to some rows, such as "of them" in "the highest of them", or "full" in "the weakest full month". */
const QUALIFIED =
  /(?<!\p{L})(?:of (?:them|these|those|which|the (?:rest|others?|remaining))|davon|darunter|others?|else|except|apart from|full|complete|voll\p{L}*|below|above|under|over|unter|über)(?!\p{L})/iu

/** Matches a restriction that also applies to other superlatives of the sentence, such as "of them" in "The largest of them, and B the smallest". */
const OF_THEM = /(?<!\p{L})(?:of (?:them|these|those)|davon|darunter|d['’]entre (?:eux|elles)|de (?:ellos|ellas))(?!\p{L})/iu

/** Checks superlatives such as "the most devices" or "der niedrigste Wert" against the columns that they may refer to. */
export function wrongOrder(
  text: string,
  mentions: readonly Mention[],
  shown: ReadonlyMap<Figure, readonly Match[]>,
  results: readonly ResultIndex[],
): string | undefined {
  for (const clause of clausesOf(text)) {
    const body = text.slice(clause.start, clause.end)
    const most = SAYS.highest.exec(body)
    const least = SAYS.lowest.exec(body)
    const superlative = most ?? least
    if (
      superlative === null ||
      (most && least) ||
      SAYS.up.test(body) ||
      /(?<!\p{L})(?:per|pro)\s/iu.test(text) ||
      SAYS.down.test(body) ||
      SAYS.notFirst.test(body)
    )
      continue
    // "Most recent" or "most reliable" may mean the highest or the lowest value, so they are not checked. "Most devices" always means the highest.
    if (
      /^(?:most|least|top)$/i.test(superlative[0]) &&
      /^\s\p{L}+(?:ed|ent|able|ible|ive|ic|al|ant|ful|ous|ly|common|popular|active|severe|often)(?!\p{L})/u.test(
        body.slice(superlative.index + superlative[0].length),
      )
    )
      continue
    if (QUALIFIED.test(body) || OF_THEM.test(text)) continue
    const isDerived =
      /(?<!\p{L})(?:rate|share|ratio|percentage|quote|anteil)(?!\p{L})/iu.test(body) &&
      !results.some(result => result.numbers.some(column => column.unit?.dimension === 'part'))
    if (isDerived) continue
    // In "Of those with most stake, A …" the superlative describes several names. The name A behind it is only one of them.
    const isOfMany = /(?<!\p{L})(?:with|mit|by|nach)\s(?:the\s|den\s|dem\s)?$/iu.test(body.slice(0, superlative.index))
    const to = isOfMany ? clause.start + superlative.index : clause.end
    const inside = mentions.filter(mention => mention.start >= clause.start && mention.end <= to && mention.axis !== 'weekday')
    if (inside.length === 0 || new Set(inside.map(mention => mention.axis)).size < inside.length) continue
    const at = clause.start + superlative.index
    const words = wordsBeside(text, at, at + superlative[0].length)
    const matches = [...shown].flatMap(([figure, cells]) =>
      figure.start >= clause.start && figure.end <= clause.end ? cells : [],
    )
    // In "A underperforms most" the verb decides whether "most" means the highest or the lowest value.
    const isOfVerb =
      /^(?:most|least)$/i.test(superlative[0]) && /^\W*$/u.test(body.slice(superlative.index + superlative[0].length))
    const ends = isOfVerb ? [true, false] : [most !== null]
    const wrong = inside.some(mention => ends.every(end => isRefuted(mention, words, matches, results, end)))
    if (wrong)
      return `${inside.map(mention => text.slice(mention.start, mention.end)).join(', ')} is not the ${superlative[0]} in the rows`
  }
  return undefined
}

function isRefuted(
  mention: Mention,
  words: readonly string[],
  matches: readonly Match[],
  results: readonly ResultIndex[],
  most: boolean,
): boolean {
  const verdicts = results.flatMap(result => {
    const rows = mention.rows.get(result.id)
    if (rows === undefined || rows.length === 0 || rows.length === result.rowCount) return []
    return relevant(result, words, matches).map(column => isExtreme(column, rows, result, most))
  })
  return verdicts.length > 0 && verdicts.every(verdict => !verdict)
}

/**
 * Returns the columns that a superlative may refer to: the columns named beside it, else the columns of the clause's figures, else the only column.
 * Empty if the superlative is about no column, as in "the largest margin".
 */
function relevant(result: ResultIndex, words: readonly string[], matches: readonly Match[]): readonly NumberColumn[] {
  const measures = result.numbers.filter(column => !column.key)
  const named = columnsNamed(measures, words)
  if (named.length < measures.length) return named
  const shown = measures.filter(column => matches.some(match => match.query === result.id && match.column === column.name))
  return shown.length > 0 || measures.length > 1 ? shown : measures
}

function isExtreme(column: NumberColumn, rows: readonly number[], result: ResultIndex, most: boolean): boolean {
  const cells = [...column.values].filter(value => Number.isFinite(value))
  const own = rows.map(row => column.values[row] ?? Number.NaN).filter(value => Number.isFinite(value))
  if (own.length === 0) return false
  // A cut result proves an extreme only if its rows are sorted by this column, and the extreme comes first.
  if (result.truncated) {
    const ordered = most
      ? column.values.every((value, row) => row === 0 || value <= (column.values[row - 1] ?? value))
      : column.values.every((value, row) => row === 0 || value >= (column.values[row - 1] ?? value))
    if (!ordered) return false
  }
  const sum = (values: readonly number[]) => values.reduce((one, other) => one + other, 0)
  if (rows.length > 1 && rows.length < result.rowCount && sum(own) * 2 > sum(cells) === most) return true
  let extreme = cells[0] ?? 0
  for (const value of cells) if (most ? value > extreme : value < extreme) extreme = value
  if (own.includes(extreme)) return true
  // The first or the last period of a series may be incomplete, so a claim may leave out one of them.
  if (result.times.length !== 1 || result.textColumns.length > 0 || result.rowCount < 3) return false
  const inner = [...column.values].slice(1, -1)
  const first = column.values[0] ?? Number.NaN
  const last = column.values[result.rowCount - 1] ?? Number.NaN
  return [
    [first, ...inner],
    [...inner, last],
  ].some(values => own.includes(most ? Math.max(...values) : Math.min(...values)))
}

export function clausesOf(text: string): { start: number; end: number }[] {
  const clauses: { start: number; end: number }[] = []
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
