import { ABOVE_OR_BELOW, NOT } from '../figures/wording.ts'
import type { Mention } from '../mentions.ts'
import { columnsNamed } from '../rows/column-words.ts'
import { differenceOf, type Pair } from '../workings/difference.ts'
import { type Around, cellAt, comparableAmount, ownWords, type WorkedFigure } from '../workings/worked-figure.ts'
import type { Operand } from '../workings/worked-part.ts'

/** Checks a comparison against its working. In "4 ms {= x['A'] - x['B']} more than B", B must have less. */
export function wrongDifference(each: WorkedFigure, around: Around): string | undefined {
  const [before, behind] = ownWords(each, around)
  const difference = NOT.test(before.slice(-20)) ? undefined : differenceOf(each)
  const said = comparisonOf(each, behind, around)
  if (difference === undefined || said === undefined) return undefined
  const { base } = difference
  const told = toldReference(difference, said.end, around)
  if (base !== undefined && told !== undefined && told !== base)
    return `${each.figure.text} is measured by the other of the two, not by what it is compared with`
  const measured = base ?? told ?? impliedReference(difference, each, around)
  if (measured === undefined) return undefined
  const subject = measured === difference.one ? difference.other : difference.one
  const change = subject.value - measured.value
  const { isAbove } = said
  if (change === 0 || change > 0 === isAbove) return undefined
  return `${each.figure.text} is how much there is ${isAbove ? 'less' : 'more'}, not ${isAbove ? 'more' : 'less'}`
}

/** Finds the comparison around a figure ("4 more than", "above the median by 4"), and the offset of its end. */
function comparisonOf(
  { figure }: WorkedFigure,
  behind: string,
  { parsed: { text } }: Around,
): { readonly end: number; readonly isAbove: boolean } | undefined {
  const isTold = ({ 0: word }: RegExpExecArray) => !/^(?:over|under|über|unter)$/i.test(word)
  const next = [...behind.matchAll(ABOVE_OR_BELOW)].find(isTold)
  const from = Math.max(0, figure.start - 80)
  const lead = /(?:^|;)([^;]*\s)(?:by|um)\s(?:\p{Lu}{3}\s)?[$€]?$/u.exec(text.slice(from, figure.start))?.[1] ?? ''
  const last = next === undefined ? [...lead.matchAll(ABOVE_OR_BELOW)].filter(isTold).at(-1) : undefined
  const found = next ?? last
  if (found === undefined) return undefined
  const start = next ? figure.end : text.indexOf(lead, from)
  return { end: start + found.index + found[0].length, isAbove: found.groups?.above !== undefined }
}

const PRONOUN = /(?<!\p{L})(?:it|they|he|she|er|sie|es)(?!\p{L})/iu

/** Returns the rest of a clause. A comma inside a number does not end it. */
function clauseFrom(text: string, start: number): string {
  return /^(?:[^,;:(.]|[.,](?=\d)){0,60}/u.exec(text.slice(start))?.[0] ?? ''
}

/** Returns the operand of a difference whose value a figure shows. Undefined if both operands have this value, or neither has it. */
function operandShown(shown: WorkedFigure | undefined, { one, other }: Pair): Operand | undefined {
  const found = [one, other].filter(({ value }) => value === shown?.value)
  return found.length === 1 ? found[0] : undefined
}

/** Returns the operand that the words behind "than" mention. The first name or figure counts, else a time or a column. */
function toldReference(pair: Pair, start: number, around: Around): Operand | undefined {
  const { one, other } = pair
  const { parsed, results, previous, next } = around
  const words = clauseFrom(parsed.text, start)
  const isInside = (at = -1) => at >= start && at < start + words.length
  const than = parsed.mentions.find(mention => isInside(mention.start))
  const shown = [previous, next].find(each => isInside(each?.figure.start))
  const isNamedFirst = than !== undefined && than.start < (shown?.figure.start ?? Number.POSITIVE_INFINITY)
  const told = isNamedFirst ? ownerOf(than, one, other) : operandShown(shown, pair)
  if (told !== undefined) return told
  const [first, second] = [cellAt(one.parts, results), cellAt(other.parts, results)]
  if (first === undefined || second === undefined || first.result !== second.result) return undefined
  const meant = columnsNamed([first.column, second.column], words.toLowerCase().match(/\p{L}{3,}/gu) ?? [])
  return first.column === second.column || meant.length !== 1 ? undefined : meant[0] === first.column ? one : other
}

/** If the words before the figure name only one operand, returns the other operand. */
function impliedReference(pair: Pair, { figure }: WorkedFigure, around: Around): Operand | undefined {
  const { one, other } = pair
  const { text, mentions } = around.parsed
  // The name of a unit may also be a name in the rows: "47.6 mg/l".
  const from = (around.previous?.figure.end ?? -2) + 1
  const last = mentions.findLast(mention => mention.end <= figure.start && mention.start > from)
  // In "A overtook B: it was 5 behind" the pronoun may mean A or B.
  const isOther = last !== undefined && PRONOUN.test(text.slice(last.end, figure.start))
  const subject = ownerOf(isOther ? undefined : last, one, other) ?? operandShown(around.previous, pair)
  return subject === undefined ? undefined : subject === one ? other : one
}

/** Returns the operand of a difference that reads a row of the name. Undefined if both operands read one, or neither does. */
function ownerOf(mention: Mention | undefined, one: Operand, other: Operand): Operand | undefined {
  const isOf = ({ parts }: Operand) =>
    parts.some(part => part.rows.length > 0 && part.rows.every(row => mention?.rows.get(part.query)?.includes(row)))
  return isOf(one) === isOf(other) ? undefined : isOf(one) ? one : other
}

/** Matches the text between a difference and the words of its comparison, such as " users " in "4 users fewer than the 372". */
const IS_DIFFERENCE = /^\s(?:(?!(?:is|are|was|were|has|have|ist|sind|war|waren|hat|haben)\s)\p{L}+\s)?$/iu

/**
 * Checks a comparison of two figures that both have workings, such as "5 ms {= x['A']}, more than B with 4 ms {= x['B']}" or
 * "less than twice the median of 4 ms {= median_ms}".
 */
export function wrongNeighbour(each: WorkedFigure, { parsed, results, next }: Around): string | undefined {
  if (next === undefined || differenceOf(each) !== undefined) return undefined
  const { text, written, mentions } = parsed
  const between = text.slice(each.figure.end, next.figure.start)
  if (/[;:]|\s(?:and|but|while|und|aber)\s/iu.test(between) || NOT.test(between)) return undefined
  const [said] = between.matchAll(ABOVE_OR_BELOW)
  if (said === undefined || IS_DIFFERENCE.test(between.slice(0, said.index))) return undefined
  const at = each.figure.end + said.index
  if (/,\s|^\s(?:\p{L}+\s)?any(?!\p{L})/u.test(between.slice(said.index + said[0].length))) return undefined
  const column = cellAt(each.parts, results)?.column
  const isSame = column !== undefined && column === cellAt(next.parts, results)?.column
  const isOver = /^(?:over|under|über|unter)$/i.test(said[0])
  if (!isSame && (isOver || each.figure.unit?.dimension !== next.figure.unit?.dimension)) return undefined
  // In "Saturday is above with 11, Sunday below with 9", "below" belongs to Sunday and not to the 11.
  if (mentions.some(mention => mention.start >= each.figure.end && mention.end <= at)) return undefined
  const factor = written.find(({ start, end }) => start >= at && end <= next.figure.start)
  if (factor !== undefined && factor.word !== 'ratio') return undefined
  // For a time, "ahead" means the lower value.
  if (/^(?:ahead|behind)/i.test(said[0]) && [each, next].some(({ figure }) => figure.unit?.dimension === 'time')) return undefined
  const [one, other] = [comparableAmount(each.figure, next.figure), comparableAmount(next.figure, each.figure)]
  if (one === undefined || other === undefined) return undefined
  const difference = one - (factor?.readings[0]?.value ?? 1) * other
  const isAbove = said.groups?.above !== undefined
  if (difference === 0 || difference > 0 === isAbove) return undefined
  return `${each.figure.text} is ${isAbove ? 'less' : 'more'} than ${factor === undefined ? '' : `${factor.text} `}${next.figure.text}`
}
