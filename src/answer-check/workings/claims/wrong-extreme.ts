import { clausesOf } from '../../claims/order-claims.ts'
import { NOT } from '../../figures/wording.ts'
import { CHECK_LIMITS } from '../../limits.ts'
import type { NamedText } from '../../mentions.ts'
import type { ResultIndex } from '../../rows/result-index.ts'
import { type Around, cellAt, type WorkedFigure } from '../worked-figure.ts'
import { contradictedSuperlative, isAtEnd, OF_THEM, usedExtreme } from './contradicted-superlative.ts'
import { type Series, seriesOf } from './series.ts'
import { changeBehind, nounsBehind, type Superlative, superlativesIn } from './superlatives.ts'
import { ofWord } from './wrong-column.ts'
import { changeOf } from './wrong-direction.ts'

/** Matches words of an exception, such as "apart from". The exception may stand in another clause. */
const LEFT_OUT =
  /(?<!\p{L})(?:of (?:them|these|those)|davon|darunter|apart from|except|besides|excluding|leaving|außer|abgesehen)(?!\p{L})/iu

/** Reports a figure that the text wrongly calls the highest or the lowest. The figure may be a cell, a ratio for a row, or a sum for a name. */
export function* wrongExtreme(
  worked: readonly WorkedFigure[],
  around: Around,
): Generator<void, { figure: WorkedFigure; reason: string } | undefined> {
  const { text } = around.parsed
  const isOfSome = LEFT_OUT.test(text)
  const claims = superlativesIn(text).slice(0, CHECK_LIMITS.working.superlatives)
  for (const [index, claim] of claims.entries()) {
    if (STEP.test(text.slice(claim.end)) || isOfSpan(claim, claims, text)) continue
    const said = changeBehind(claim, text)
    let first: { figure: WorkedFigure; reason: string } | undefined
    for (const each of figuresOf(claim, claims[index - 1], claims[index + 1], worked, around)) {
      if (IN_RANGE.test(text.slice(0, each.figure.start))) break
      const whole = (yield* seriesOf(each, around.results, around.bench)) ?? apposedCell(claim, each, around)
      if (whole === undefined) continue
      const series = OF_THEM.test(text) ? amongRead(whole, each, worked) : whole
      if (isOfSome && series === whole && usedExtreme(each) === undefined) break
      const change = said === 0 ? 0 : (changeOf(each, around) ?? 0)
      if (said * change < 0)
        return { figure: each, reason: `${each.figure.text} is a ${change > 0 ? 'rise' : 'fall'} in the rows` }
      const contrary = contradictedSuperlative(claim, each, series, around, false)
      if (first === undefined && contrary !== undefined) return { figure: each, reason: contrary }
      const reason = contradictedSuperlative(claim, each, series, around, true)
      // The figure beside it may be the one: "the busiest month, with 37 % of 637".
      if (reason === undefined) {
        first = undefined
        break
      }
      first ??= { figure: each, reason }
    }
    const unfounded = wrongOfColumn(claim, around)
    if (unfounded !== undefined && worked[0] !== undefined) return { figure: worked[0], reason: unfounded }
    if (first !== undefined && (!isOfChange(claim, text) || changeOf(first.figure, around) !== undefined)) return first
  }
  return undefined
}

/**
 * Reports a superlative of a column that its noun names, if the only row of the sentence is not at that end: "A has the fewest users".
 * The figure beside it may be of another column.
 */
export function wrongOfColumn(
  claim: Superlative,
  { parsed: { text, mentions }, results, context }: Pick<Around, 'results' | 'context'> & { readonly parsed: NamedText },
): string | undefined {
  const clause = clausesOf(text).find(({ start, end }) => claim.start >= start && claim.end <= end)
  const [noun, second] = nounsBehind(claim, text)
  if (noun === undefined || clause === undefined || claim.kind !== 'amount' || NOT.test(text)) return undefined
  if (/(?<!\p{L})(?:per|pro|je)\s/iu.test(text)) return undefined
  if (
    /(?<!\p{L})(?:per|pro|je|of (?:the|all|these)|among|except|but|other|outside|share|rate|average|full|with|one of)(?!\p{L})/iu.test(
      text.slice(clause.start, clause.end),
    )
  )
    return undefined
  for (const result of results) {
    const columns = result.numbers.filter(({ key }) => !key)
    const isColumn = columns.some(({ words }) => words.includes(noun))
    const column = ofWord(isColumn ? noun : (second ?? noun), columns)
    const rows = new Set(mentions.filter(({ axis }) => axis !== 'range').flatMap(mention => mention.rows.get(result.id) ?? []))
    const [row, ...others] = rows
    if (
      column === undefined ||
      row === undefined ||
      others.length > 0 ||
      result.truncated ||
      result.rowCount > CHECK_LIMITS.rows.groupedRows
    )
      continue
    const series = { values: column.values, own: [row], column: column.name }
    if (!isAtEnd(claim, series, { text, mentions }, context, result))
      return `${text.slice(claim.start, claim.end)} ${noun}: this row is not at that end of ${column.name}`
  }
  return undefined
}

/** Whether the superlative ranks changes: "the largest gain", "rose the most". The figures beside it may be the two ends. */
function isOfChange(claim: Superlative, text: string): boolean {
  const lead = text.slice(0, claim.start)
  return (
    changeBehind(claim, text) !== 0 ||
    /(?<!\p{L})(?:rose|fell|grew|gained|lost|dropped|changed|stieg\p{L}*|fiel\p{L}*|sank\p{L}*)\s(?:by\s)?(?:the\s|am\s)?$/iu.test(
      lead,
    )
  )
}

/** Whether two superlatives are the ends of a span: "Between the highest and the lowest price". */
function isOfSpan(claim: Superlative, claims: readonly Superlative[], text: string): boolean {
  const isJoined = (one: Superlative, other: Superlative) =>
    /^\s(?:and|und)\s(?:\p{L}+\s)?$/u.test(text.slice(one.end, other.start))
  return claims.some(other => other !== claim && (isJoined(claim, other) || isJoined(other, claim)))
}

/** Matches a noun that compares two rows, such as "step" in "The largest step in the series". No column holds such values. */
const STEP =
  /^\s(?:\p{L}+\s)?(?:steps?|jumps?|swings?|moves?|shifts?|gaps?|verschiebung|schritte?s?|sprünge?|sprung|abstand)(?!\p{L})/iu

/** Matches words before the ends of a range, such as "range from" in "The ten longest range from 63 min to …". */
const IN_RANGE =
  /(?<!\p{L})(?:rang|var|spread|span|reach|l[iay]|lieg|lag|reich)\p{L}*\s(?:\p{L}+\s){0,2}(?:from|between|von|zwischen)\s[$€]?$/iu

/**
 * Reduces a series to the rows that the sentence's workings read from the same column. If the workings read no other row of that column, the series
 * stays the same.
 */
function amongRead(series: Series, each: WorkedFigure, worked: readonly WorkedFigure[]): Series {
  const [part] = each.parts
  const isAlike = (other: WorkedFigure) =>
    other.parts.length === 1 &&
    other.parts[0]?.isCell &&
    other.parts[0].query === part?.query &&
    other.parts[0].column === part.column
  const rows = new Set(worked.filter(isAlike).flatMap(({ parts }) => parts.flatMap(({ rows }) => rows)))
  if (!isAlike(each) || rows.size <= series.own.length) return series
  return { ...series, values: Array.from(series.values, (value, row) => (rows.has(row) ? value : Number.NaN)) }
}

const APPOSED =
  /^\W*(?:(?:the latter|this|it|which)\s(?:being|is|was)\s)?(?:the|its|their|das|der|die|den|dem|by far|also)\s(?:\p{L}+[- ]){0,2}$|^\W*$/iu

/**
 * Returns the figures that a superlative may describe, the most likely one first.
 * The figures stand in the same clause, in the clause before, or in the next clause ("the smallest, with 12").
 */
function figuresOf(
  claim: Superlative,
  before: Superlative | undefined,
  behind: Superlative | undefined,
  worked: readonly WorkedFigure[],
  around: Around,
): readonly WorkedFigure[] {
  const { parsed, results } = around
  const { text } = parsed
  const clauses = clausesOf(text)
  const at = clauses.findIndex(({ start, end }) => claim.start >= start && claim.end <= end)
  const clause = clauses[at]
  if (clause === undefined) return []
  const within = (from: number, to: number) =>
    worked.filter(
      each =>
        each.figure.start >= Math.max(from, before?.end ?? 0) &&
        each.figure.end <= Math.min(to, behind?.start ?? to) &&
        isMoment(each, results) === (claim.kind === 'moment'),
    )
  // "The largest increase" describes a figure that is a change.
  const change = changeBehind(claim, text)
  const own = within(clause.start, clause.end)
  // In "3 % above the lowest, B" it is B that is the lowest, and not the 3 %.
  if (
    /(?<!\p{L})(?:times|twice|double|triple|half|above|below|than|behind|ahead of|over|under|after|als|über|unter|vor|hinter)\s(?:the|its|der|die|das|dem|den)\s$/iu.test(
      text.slice(0, claim.start),
    )
  )
    return []
  const isAhead = ({ figure }: WorkedFigure) => figure.start >= claim.end
  const isClose = ({ figure }: WorkedFigure) =>
    isAhead({ figure } as WorkedFigure) && !text.slice(claim.end, figure.start).includes(',')
  const previous = clauses[at - 1]
  const isApposed =
    previous &&
    /,\s$/u.test(text.slice(0, clause.start)) &&
    (APPOSED.test(text.slice(clause.start, claim.start)) || /^(?:with|at|mit|bei)\s/iu.test(text.slice(previous.start)))
  const found = [
    ...own.filter(isClose),
    ...own.filter(each => !isAhead(each)).reverse(),
    ...(isApposed ? within(previous.start, previous.end).reverse() : []),
    ...own.filter(each => isAhead(each) && !isClose(each)),
  ]
  const changed = change === 0 ? [] : found.filter(each => changeOf(each, around) !== undefined)
  // In "from 7.3 to 7, the largest fall" neither of the figures is the size of the fall.
  const isFromTo = found.some(({ figure }) => /(?<!\p{L})(?:to|auf|→)\s[$€]?$/u.test(text.slice(0, figure.start)))
  if (found.length > 0) return changed.length > 0 ? changed : change !== 0 && isFromTo ? [] : found
  for (const following of clauses.slice(at + 1, at + 6)) {
    const isList = /(?:\s(?:and|und)|,|:|\(|—)\s?$/u.test(text.slice(0, following.start))
    if (!isList) return []
    const [next] = within(following.start, following.end)
    const isJoined = /(?:and|und)\s$/u.test(text.slice(0, following.start))
    if (next !== undefined) return isJoined && next.parts.flatMap(part => (part.isCell ? part.rows : [])).length < 2 ? [] : [next]
  }
  return []
}

/** Whether a figure is a point in time, such as a day or the number of a month. */
export function isMoment({ parts }: WorkedFigure, results: readonly ResultIndex[]): boolean {
  return parts.some(
    part =>
      (part.isTime && part.isCell) ||
      results.some(({ id, numbers }) => id === part.query && numbers.some(({ name, key }) => key && name === part.column)),
  )
}

/**
 * Returns the series of the name in front of a superlative. In "12 {= x['May'] - x['June']} below May, the highest month" the superlative describes
 * May.
 */
function apposedCell(
  claim: Superlative,
  { parts, figure }: WorkedFigure,
  { parsed: { text, mentions }, results }: Around,
): Series | undefined {
  const name = mentions.findLast(mention => mention.end <= claim.start && mention.start >= figure.end)
  if (name === undefined || !/^,\s(?:the|der|die|das|den|dem)\s$/iu.test(text.slice(name.end, claim.start))) return undefined
  for (const part of parts) {
    const at = cellAt([part], results)
    if (at !== undefined && name.rows.get(part.query)?.includes(at.row))
      return { values: at.column.values, own: [at.row], column: at.column.name }
  }
  return undefined
}
