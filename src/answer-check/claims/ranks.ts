import { parseDates } from '../figures/figures.ts'
import { CHECK_LIMITS } from '../limits.ts'
import type { NamedText } from '../mentions.ts'
import type { ResultIndex } from '../rows/result-index.ts'
import { IS_CHANGE } from '../workings/worked-figure.ts'
import type { Series } from './series.ts'
import type { Superlative } from './superlatives.ts'

/** Whether rows have the rank that a superlative tells. "The second-lowest value" ranks the different values, and several rows may have the same one. */
export function isAtEnd(
  { isHighest, rank, isEither }: Superlative,
  values: readonly number[],
  own: readonly number[],
  more = 0,
): boolean {
  const others = values.filter((_, at) => !own.includes(at))
  const isAt = (isTop: boolean) =>
    own.every(at => {
      const beyond = others.filter(other => (isTop ? other > (values[at] ?? Number.NaN) : other < (values[at] ?? Number.NaN)))
      return new Set(beyond).size === rank - 1 || beyond.length <= rank - 1 + more
    })
  return isAt(isHighest) || (isEither === true && isAt(!isHighest))
}

/** Returns the values with NaN in all rows but some. */
export function valuesOf(rows: ReadonlySet<number>, values: ArrayLike<number>): number[] {
  return Array.from(values, (value, row) => (rows.has(row) ? value : Number.NaN))
}

/**
 * Returns the groups of rows around some rows that the sentence or its context names: the rows of a category, a month or a year.
 * "The busiest week" of an answer about a year is the busiest of that year.
 */
export function groupsAround(
  sentence: NamedText,
  context: NamedText,
  result: ResultIndex,
  own: readonly number[],
): ReadonlySet<number>[] {
  const isAround = (rows: readonly number[]) => rows.length > own.length && own.every(row => rows.includes(row))
  const named = [...sentence.mentions, ...context.mentions].flatMap(({ rows, bounds }) => [
    rows.get(result.id) ?? [],
    bounds?.get(result.id) ?? [],
  ])
  const text = `${sentence.text}\n${context.text}`
  const years = (text.match(/(?<!\d)(?:19|20)\d\d(?!\d)/g) ?? []).map(year => ({ year: Number(year) }))
  const dated = [...years, ...parseDates(text).filter(({ day }) => day === undefined)]
    .slice(0, CHECK_LIMITS.working.superlatives)
    .flatMap(date => result.times.map(column => column.rowsShowing(date, '')))
  return [...named, ...dated]
    .filter(isAround)
    .slice(0, CHECK_LIMITS.working.superlatives)
    .map(rows => new Set(rows))
}

/**
 * Returns the values to rank. For a fall, these are the sizes of the falls, because "the largest fall" is the lowest value.
 * In a column without changes, negative values are ranked like any others. Undefined if the words and the signs do not fit, such as "the largest fall" for a cell of +5 in a column of changes.
 */
export function magnitudes({ values, own, column }: Series, isFall: boolean): number[] | undefined {
  const all = Array.from(values)
  const isChange = column === undefined || IS_CHANGE.test(column)
  if (own.every(at => (all[at] ?? 0) < 0)) {
    if (isFall) return all.map(value => (value < 0 ? -value : Number.NaN))
    return isChange ? undefined : all
  }
  return isFall && column !== undefined && isChange && all.some(value => value < 0) ? undefined : all
}
