import type { Figure } from '../figures/figure.ts'
import { CHANGES, isDenied, NOT, saidDirection } from '../figures/wording.ts'
import type { NamedText } from '../mentions.ts'
import type { CheckedText, Parsed } from '../parse-text.ts'
import { nameWords } from '../rows/key-name.ts'
import type { Problem } from '../unsupported-figure.ts'
import { differenceOf } from '../workings/difference.ts'
import {
  type Around,
  cellAt,
  comparableAmount,
  IS_CHANGE,
  measuredCells,
  ownWords,
  type WorkedFigure,
} from '../workings/worked-figure.ts'
import { orderInTime } from './order-in-time.ts'

/** Checks words such as "fell by 5 {= x[3] - x[2]}" and "rose to 12 {= x[3]}" against the working. Returns the reason if they contradict it. */
export function wrongDirection(each: WorkedFigure, around: Around): string | undefined {
  const way = wrongWay(each, around.parsed, around.next)
  if (way !== undefined) return way
  // Words of the column's name express no change: "82 more dropped calls" for `dropped`.
  const names = each.parts.flatMap(({ column = '' }) => nameWords(column))
  const [before = '', behind = ''] = ownWords(each, { ...around, parsed: withoutNames(around.parsed) }).map(words =>
    words.replace(/\p{L}{4,}/gu, word => (names.includes(word.toLowerCase()) ? '–' : word)),
  )
  if (NOT.test(before.split(/[.!?]\s/).at(-1) ?? '')) return undefined
  const own = behind.split(ANOTHER_CLAUSE)[0] ?? ''
  const counted = countedChange(each)
  // In "Five went up, three went down" each count stands before its verb.
  const [first, second] = counted === undefined ? [before, own] : [own, before]
  // "Two months stand out with a fall: February by 12 %, August by 11 %".
  const intro = /^[^:]*(?=:\s)/.exec(around.parsed.text.slice(0, each.figure.start))?.[0] ?? ''
  const said = saidDirection(first) || saidDirection(second) || (NOT.test(intro) ? 0 : saidDirection(intro))
  const isReached = /(?<!\p{L})(?:to|auf)\s(?:(?!(?:from|von)\s)\p{L}+\s){0,3}(?:\p{Lu}{3}\s)?[$€]?$/iu.test(before)
  const change = counted ?? (isReached ? stepTo(each, around) : undefined) ?? changeOf(each, around)
  const isCell = measuredCells(each, around.results) !== undefined
  const lost = gainOrLoss(before)
  const amount = (isCell || isOfChanges(each)) && (said === 0 || lost !== 0) ? moreOrLess(own) || lost : 0
  if (change === undefined || change === 0 || (amount || said) === 0 || Math.sign(change) === (amount || said)) return undefined
  return `${each.figure.text} is a ${change > 0 ? 'rise' : 'fall'} in the rows`
}

/** Replaces names by dashes, because words in a name express no change: "TX 18 Plus". */
export function withoutNames(parsed: Parsed): Parsed {
  const names = parsed.mentions.filter(({ axis }) => axis !== 'time' && axis !== 'range' && axis !== 'key')
  const text = names.reduce(
    (rest, { start, end }) => `${rest.slice(0, start)}${'–'.repeat(end - start)}${rest.slice(end)}`,
    parsed.text,
  )
  return { ...parsed, text }
}

/** Matches a word that begins another clause, such as "because" in "fell to 2 % because the total grew". */
const ANOTHER_CLAUSE =
  /[,;.(]|\s(?:because|as|since|while|although|though|whereas|when|after|before|despite|weil|da|während|obwohl|nachdem)\s/iu

/** Returns 1 if the words behind a figure say "more", -1 if they say "less", else 0: -1 for "246 fewer {= change[4]}". */
function moreOrLess(words: string): number {
  const [word = ''] = /^\W*(?:more|fewer|less|higher|lower|mehr|weniger)(?!\p{L})/iu.exec(words) ?? []
  return word === '' ? 0 : /more|higher|mehr/i.test(word) ? 1 : -1
}

/** Returns 1 if the words say that something was gained, -1 if they say that it was lost, else 0: -1 for "Lost 246 {= change[4]}". */
function gainOrLoss(words: string): number {
  const [word = ''] = /(?<!\p{L})(?:lost|loses?|verlor(?:en)?|gained|gains)(?=\s[^;:]{0,60}$)/iu.exec(words) ?? []
  return word === '' ? 0 : /gain/i.test(word) ? 1 : -1
}

/** Returns the words before "from 5 to 3". Undefined if the two figures do not stand so. */
export function wordsOfTurn(text: string, from: Figure, to: Figure): string | undefined {
  const lead = /^(.*?)(?<!\p{L})(?:from|von)\s(?:\p{L}+\s){0,4}?(?:\p{Lu}{3}\s)?[$€]?[-−]?$/isu.exec(
    text.slice(Math.max(0, from.start - 120), from.start),
  )?.[1]
  const between = text.slice(from.end, to.start)
  const isTurn =
    !/[;]|,\s(?!\d)/.test(between) && /(?<!\p{L})(?:to|auf)\s(?:\p{L}+\s){0,4}?(?:\p{Lu}{3}\s)?[$€]?[-−]?$/iu.test(between)
  return lead !== undefined && isTurn ? /(?<![^;,.:])[^;,.:]*,?\s?$/.exec(lead)?.[0] : undefined
}

/** Reports two figures of a change the other way: "fell from 3 to 5". */
export function wrongTurn({ parsed }: CheckedText): Problem | undefined {
  return parsed.figures
    .map((figure, at, all) => {
      const next = all[at + 1]
      const reason = wrongWay({ figure }, parsed, next && { figure: next })
      return reason === undefined ? undefined : { text: figure.text, reason }
    })
    .find(problem => problem !== undefined)
}

/** Checks both figures of "rose from 5 to 3" against the nearest word of change before them. */
function wrongWay(
  each: Pick<WorkedFigure, 'figure'>,
  { text }: NamedText,
  next: Pick<WorkedFigure, 'figure'> | undefined,
): string | undefined {
  const words = next && wordsOfTurn(text, each.figure, next.figure)
  if (next === undefined || words === undefined) return undefined
  const said = [...words.matchAll(CHANGES)].at(-1)
  const [from, to] = [comparableAmount(each.figure, next.figure), comparableAmount(next.figure, each.figure)]
  if (said === undefined || isDenied(words.trim().replace(/,$/, '')) || from === undefined || to === undefined || from === to)
    return undefined
  return to > from === (said.groups?.up !== undefined)
    ? undefined
    : `from ${each.figure.text} to ${next.figure.text} is a change the other way`
}

/** Returns the direction that the condition of a count states: 1 for "Six {= count(change > 0)} grew". Undefined for other workings. */
function countedChange({ parts: [part], shape }: WorkedFigure): number | undefined {
  const [condition, ...others] = part?.conditions ?? []
  if (!shape.isLone || part?.aggregate !== 'count' || condition?.value !== 0 || others.length > 0) return undefined
  if (!IS_CHANGE.test(condition.column) || !/^[<>]$/.test(condition.operator)) return undefined
  return condition.operator === '>' ? 1 : -1
}

/**
 * Returns the change that led to a cell. If the text mentions an earlier cell of the same column before it, the change starts
 * there. Otherwise it starts at the previous period. Then it is returned only if the value has changed in the same direction
 * since the first period.
 */
function stepTo(each: WorkedFigure, { results, previous }: Around): number | undefined {
  const cell = measuredCells(each, results)
  const row = cell?.rows[0]
  if (cell === undefined || row === undefined || cell.column.key) return undefined
  const { column, result } = cell
  const to = column.values[row] ?? Number.NaN
  const given = previous && measuredCells(previous, results)
  const from = given?.column === column ? given.rows[0] : undefined
  const at = (other: number) => ({ column, row: other })
  if (from !== undefined && orderInTime(result, at(from), at(row)) < 0) return to - (column.values[from] ?? Number.NaN)
  if (row === 0 || orderInTime(result, at(row - 1), at(row)) >= 0) return undefined
  const [last, first] = [column.values[row - 1], column.values[0]].map(value => Math.sign(to - (value ?? Number.NaN)))
  return last === first ? last : undefined
}

/** Whether a working divides changes by other amounts: `100 * sum(change) / sum(last_year)`. */
function isOfChanges({ parts: [first, ...rest] }: WorkedFigure): boolean {
  const isChange = (column = '') => IS_CHANGE.test(column)
  return isChange(first?.column) && !rest.some(part => isChange(part.column))
}

/**
 * Returns the change that a figure's working computes: a difference from an earlier cell or from a base, or a cell of a column of
 * changes. Undefined if it computes none.
 */
export function changeOf(each: WorkedFigure, { results }: Around): number | undefined {
  const cell = measuredCells(each, results)
  if (cell !== undefined) {
    return IS_CHANGE.test(cell.column.name) ? cell.column.values[cell.rows[0] ?? 0] : undefined
  }
  const difference = differenceOf(each)
  if (difference === undefined) return isOfChanges(each) ? each.value : undefined
  const { one, other, base } = difference
  if (base !== undefined) return base === one ? other.value - one.value : one.value - other.value
  const [first, second] = [cellAt(one.parts, results), cellAt(other.parts, results)]
  if (first === undefined || second === undefined || first.result !== second.result) return undefined
  const order = orderInTime(first.result, first, second)
  return order === 0 ? undefined : order < 0 ? other.value - one.value : one.value - other.value
}
