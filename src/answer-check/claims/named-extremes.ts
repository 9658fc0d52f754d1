import { groupsOf } from '../attachment.ts'
import { CHANGES, NOT } from '../figures/wording.ts'
import { CHECK_LIMITS } from '../limits.ts'
import { columnsNamed, ofWord } from '../rows/column-words.ts'
import type { NumberColumn, ResultIndex } from '../rows/result-index.ts'
import type { Problem } from '../unsupported-figure.ts'
import type { Around } from '../workings/worked-figure.ts'
import { clauseAt } from './clauses.ts'
import { groupsAround, isAtEnd, valuesOf } from './ranks.ts'
import { nounsBehind, type Superlative } from './superlatives.ts'

/** Words for fewer rows or another measure, in the clause of a superlative. Then the superlative is not checked. */
const OPEN =
  /(?<!\p{L})(?:of (?:the|all|these|those|them|which)|davon|darunter|among|unter|except|apart|but|others?|else|outside|average|full|complete|voll\p{L}*|below|above|under|over|über|one of|followed|after|gefolgt)(?!\p{L})/iu

const RATE = /(?<!\p{L})(?:share|rate|ratio|percentage|anteil|quote)(?!\p{L})/iu

/**
 * Reports a superlative if the only row that its clause names, or else its sentence, is not at that end of the column: "A has the fewest users".
 * Its noun tells the column, so that a figure beside it may be of another one. Without workings the figures of the clause may tell it too.
 */
export function wrongOfName(claim: Superlative, { parsed, results, context, shown }: Around): Problem | undefined {
  const { text, mentions } = parsed
  const clause = clauseAt(claim, text)
  const words = text.slice(clause.start, clause.end)
  if (claim.kind !== 'amount' || NOT.test(text) || /(?<!\p{L})(?:per|pro|je)\s/iu.test(text) || OPEN.test(words)) return undefined
  const inside = mentions.filter(({ start, end }) => start >= clause.start && end <= clause.end)
  // "A, B and C were the strongest" ranks none of them alone.
  if (words.search(CHANGES) >= 0 || groupsOf(mentions, text).some(group => group.length > 1)) return undefined
  const verdicts = results.flatMap((result): readonly string[] => {
    const rows = new Set((inside.length > 0 ? inside : mentions).flatMap(name => name.rows.get(result.id) ?? []))
    const [row, ...others] = rows
    if (row === undefined || others.length > 0 || result.truncated || result.rowCount > CHECK_LIMITS.rows.groupedRows) return []
    const all = [...Array(result.rowCount).keys()]
    // The first or the last period of a series may be incomplete, so a claim may leave out one of them.
    const whole = result.times.length === 1 && result.textColumns.length === 0 ? [all.slice(1), all.slice(0, -1)] : []
    const groups = [...[all, ...whole].map(group => new Set(group)), ...groupsAround(parsed, context, result, [row])]
    const meant = columnsMeant(claim, text, result, shown).filter(({ unit }) => !RATE.test(words) || unit?.dimension === 'part')
    return meant.map(({ name, values }) => (groups.some(group => isAtEnd(claim, valuesOf(group, values), [row])) ? '' : name))
  })
  if (verdicts.length === 0 || verdicts.includes('')) return undefined
  return { text: claim.text, reason: `${claim.text}: the row that is named is not at that end of ${verdicts[0]}` }
}

/** Returns the columns that a superlative may rank by: that of its noun ("most orders"), else those of words and figures in its clause. */
function columnsMeant(
  claim: Superlative,
  text: string,
  { id, numbers }: ResultIndex,
  shown: Around['shown'],
): readonly NumberColumn[] {
  const columns = numbers.filter(({ key }) => !key)
  const [noun = '', second = noun] = nounsBehind(claim, text)
  const own = ofWord(columns.some(({ words }) => words.includes(noun)) ? noun : second, columns)
  if (own !== undefined || shown === undefined) return own === undefined ? [] : [own]
  const { start, end } = clauseAt(claim, text)
  const named = columnsNamed(
    columns,
    text
      .slice(start, end)
      .toLowerCase()
      .match(/\p{L}{3,}/gu) ?? [],
  )
  if (named.length < columns.length) return named
  const cells = [...shown.values()].flat().filter(({ query }) => query === id)
  return columns.length === 1 ? columns : columns.filter(({ name }) => cells.some(({ column }) => column === name))
}
