import type { Mention } from '../mentions.ts'
import type { ResultIndex } from '../result-index.ts'
import { type Around, cellOf, NOT, ownWords, pairOf, valueAt, type WorkedFigure } from './worked-figure.ts'

const MORE =
  /^\W*(?:\p{L}+\s){0,2}?(?:more|higher|larger|longer|mehr|höher|größer|länger)(?:\s\p{L}+){0,2}?\s(?:than|als)(?!\p{L})|^\W*(?:\p{L}+\s)?(?:above|über)(?!\p{L})/iu

const LESS =
  /^\W*(?:\p{L}+\s){0,2}?(?:less|fewer|lower|smaller|shorter|weniger|niedriger|kleiner|kürzer)(?:\s\p{L}+){0,2}?\s(?:than|als)(?!\p{L})|^\W*(?:\p{L}+\s)?(?:below|unter)(?!\p{L})/iu

const BETWEEN_MORE = /(?<!\p{L})(?:above|higher than|more than|larger than|longer than|over|über|mehr als|höher als)(?!\p{L})/iu

const BETWEEN_LESS =
  /(?<!\p{L})(?:below|lower than|less than|fewer than|smaller than|shorter than|under|unter|weniger als|niedriger als)(?!\p{L})/iu

/** "4 ms {= x['A'] - x['B']} more than B": the one behind "than" is the lower. */
export function wrongComparison(each: WorkedFigure, around: Around): string | undefined {
  const { parsed } = around
  const [, behind] = ownWords(each, around)
  const more = MORE.exec(behind)
  const less = LESS.exec(behind)
  const said = more ?? less
  const pair = pairOf(each, around.results)
  if (pair === undefined || said === null || (more && less) || pair.one.row === pair.other.row) return undefined
  const from = each.figure.end + said[0].length
  const than = parsed.mentions.find(mention => mention.start >= from && mention.start <= from + 40)
  const rows = rowsOf(than, pair.result)
  const isOne = rows.includes(pair.one.row)
  const isOther = rows.includes(pair.other.row)
  if (than === undefined || isOne === isOther) return undefined
  const difference = valueAt(isOne ? pair.other : pair.one) - valueAt(isOne ? pair.one : pair.other)
  if (difference === 0 || difference > 0 === (more !== null)) return undefined
  return `${parsed.text.slice(than.start, than.end)} has ${difference > 0 ? 'less' : 'more'}, not ${difference > 0 ? 'more' : 'less'}`
}

/** "5 ms {= x['A']}, more than B with 4 ms {= x['B']}": one cell beside another of its column. */
export function wrongNeighbour(
  each: WorkedFigure,
  next: WorkedFigure | undefined,
  { parsed: { text }, results }: Around,
): string | undefined {
  const one = cellOf(each, results)
  const other = next && cellOf(next, results)
  if (one === undefined || other === undefined || next === undefined || one.column !== other.column) return undefined
  const between = text.slice(each.figure.end, next.figure.start)
  if (between.length > 80 || /[;:]|\s(?:and|but|while|und|aber)\s/iu.test(between) || NOT.test(between)) return undefined
  const more = BETWEEN_MORE.test(between)
  if (more === BETWEEN_LESS.test(between)) return undefined
  const difference = (one.column.values[one.rows[0] ?? 0] ?? Number.NaN) - (other.column.values[other.rows[0] ?? 0] ?? Number.NaN)
  if (difference === 0 || Number.isNaN(difference) || difference > 0 === more) return undefined
  return `${each.figure.text} is ${more ? 'less' : 'more'} than ${next.figure.text}`
}

function rowsOf(mention: Mention | undefined, result: ResultIndex): readonly number[] {
  return mention?.rows.get(result.id) ?? []
}
