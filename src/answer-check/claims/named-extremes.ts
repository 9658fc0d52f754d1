import { groupsOf } from '../attachment.ts'
import type { Figure } from '../figures/figure.ts'
import { CHANGES, NOT } from '../figures/wording.ts'
import { CHECK_LIMITS } from '../limits.ts'
import type { Mention, NamedText } from '../mentions.ts'
import { columnsNamed, ofWord } from '../rows/column-words.ts'
import type { NumberColumn, ResultIndex } from '../rows/result-index.ts'
import type { Match } from '../support.ts'
import { clauseAt } from './clauses.ts'
import { groupsAround, isAtRank } from './ranks.ts'
import { nounsBehind, type Superlative, superlativesIn } from './superlatives.ts'

/** Words for fewer rows or another measure, in the clause of a superlative. Then the superlative is not checked. */
const OPEN =
  /(?<!\p{L})(?:of (?:the|all|these|those|them|which)|davon|darunter|among|unter|except|apart|but|others?|else|outside|average|full|complete|voll\p{L}*|below|above|under|over|über|one of|followed|after|gefolgt)(?!\p{L})/iu

const RATE = /(?<!\p{L})(?:share|rate|ratio|percentage|anteil|quote)(?!\p{L})/iu

/** The text around a superlative. `shown` holds the cells of its figures, if the figures have no workings. */
interface Around {
  readonly parsed: NamedText
  readonly results: readonly ResultIndex[]
  readonly context: NamedText
  readonly shown?: ReadonlyMap<Figure, readonly Match[]>
}

/** Reports the first superlative of a text that its names contradict. */
export function wrongNamedExtreme(around: Around): string | undefined {
  for (const claim of superlativesIn(around.parsed.text).slice(0, CHECK_LIMITS.working.superlatives)) {
    const reason = wrongOfName(claim, around)
    if (reason !== undefined) return reason
  }
  return undefined
}

/**
 * Reports a superlative if the only row that its clause names, or else its sentence, is not at that end of the column: "A has the fewest users".
 * Its noun tells the column, so that a figure beside it may be of another one. Without workings the figures of the clause may tell it too.
 */
export function wrongOfName(claim: Superlative, { parsed, results, context, shown }: Around): string | undefined {
  const { text, mentions } = parsed
  const clause = clauseAt(claim, text)
  const words = text.slice(clause.start, clause.end)
  if (claim.kind !== 'amount' || NOT.test(text) || /(?<!\p{L})(?:per|pro|je)\s/iu.test(text) || OPEN.test(words)) return undefined
  if (words.search(CHANGES) >= 0) return undefined
  const names = mentions.filter(({ axis }) => axis !== 'range' && axis !== 'weekday')
  const inside = names.filter(({ start, end }) => start >= clause.start && end <= clause.end)
  // "A, B and C were the strongest" ranks none of them alone.
  if (groupsOf(names, text).some(group => group.length > 1)) return undefined
  const verdicts = results.flatMap((result): readonly string[] => {
    const rows = new Set((inside.length > 0 ? inside : names).flatMap((name: Mention) => name.rows.get(result.id) ?? []))
    const [row, ...others] = rows
    if (row === undefined || others.length > 0 || result.truncated || result.rowCount > CHECK_LIMITS.rows.groupedRows) return []
    const all = [...Array(result.rowCount).keys()]
    // The first or the last period of a series may be incomplete, so a claim may leave out one of them.
    const whole = result.times.length === 1 && result.textColumns.length === 0 ? [all.slice(1), all.slice(0, -1)] : []
    const groups = [all, ...whole]
      .map(group => new Set(group))
      .concat(groupsAround(parsed, context, result, [row]) as Set<number>[])
    const isAt = ({ values }: NumberColumn, isTop: boolean) =>
      groups.some(group => isAtRank(values, [row], { isTop, rank: claim.rank, more: 0 }, (_, at) => group.has(at)))
    const isWrong = (column: NumberColumn) =>
      !isAt(column, claim.isHighest) && !(claim.isEither && isAt(column, !claim.isHighest))
    const isOfRate = RATE.test(words)
    const meant = columnsMeant(claim, text, result, shown).filter(({ unit }) => !isOfRate || unit?.dimension === 'part')
    return meant.map(column => (isWrong(column) ? column.name : ''))
  })
  if (verdicts.length === 0 || verdicts.includes('')) return undefined
  return `${text.slice(claim.start, claim.end)}: the row that is named is not at that end of ${verdicts[0]}`
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
  const isColumn = columns.some(({ words }) => words.includes(noun))
  const own = ofWord(isColumn ? noun : second, columns)
  if (own !== undefined) return [own]
  if (shown === undefined) return []
  const { start, end } = clauseAt(claim, text)
  const named = columnsNamed(
    columns,
    text
      .slice(start, end)
      .toLowerCase()
      .match(/\p{L}{3,}/gu) ?? [],
  )
  if (named.length < columns.length) return named
  const cells = [...shown].flatMap(([figure, matches]) => (figure.start >= start && figure.end <= end ? matches : []))
  const figured = columns.filter(({ name }) => cells.some(({ query, column }) => query === id && column === name))
  return figured.length > 0 || columns.length > 1 ? figured : columns
}
