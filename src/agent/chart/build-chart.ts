import { NUMBER_WORDS } from '../../answer-check/figures/number-words.ts'
import { lastLimit } from '../../answer-check/rows/result-index.ts'
import { areClose, type Chart, drawnValues } from '../../charts/chart.ts'
import type { Cell, ResultColumn } from '../../warehouse/warehouse.ts'
import { chartWords } from '../../words/chart.ts'
import type { Language } from '../../words/language.ts'
import { AGENT_LIMITS } from '../limits.ts'
import type { QueryReport } from '../run/result.ts'
import { drawnNumber, isNumberColumn } from './numbers.ts'
import { areTimes, type ChartZones, timeAxis } from './times.ts'
import { columnWords, labelOf, titleOf } from './words.ts'

/** Matches the names of columns whose numbers must not be added up, such as `avg_price`. */
const NOT_ADDITIVE =
  /(?:^|_)(?:avg|mean|median|p\d+|q\d+|quantile|min|max|rate|ratio|latency|rtt|loss|utili[sz]ation|jitter|age|price|rank|temp|temperature|humidity|pressure|speed|level|score|index)(?:_|$)/i
/** Matches the names of columns that count back in time, such as `days_ago`: the highest number is the earliest. */
const COUNTS_BACK = /(?:^| )(?:ago|vor|her|zur(?:ü|ue)ck)(?: |$)/i
/** The shares of a whole add up to about 100%. They may miss it by this much, because each share is rounded. */
const WHOLE_PERCENT = { least: 99, most: 101 }

interface Column extends ResultColumn {
  readonly cells: readonly Cell[]
}

type Series = Chart['series'][number]

interface Drawable {
  readonly query: QueryReport
  readonly label: Column
  readonly values: readonly Column[]
  readonly split: Column | undefined
  readonly unit: string
  readonly language: Language
}

/**
 * Builds the chart that the model suggested with its SQL, from the query's rows. Null if the rows do not fit that chart, or if
 * the chart would say no more than the table:
 * - there are too few or too many values, duplicate names, or only equal values
 * - the slices of a pie do not add up to a whole
 */
export function buildChart(query: QueryReport, zones: ChartZones, language: Language = 'en'): Chart | null {
  const drawable = query.error === null && query.chart !== null ? drawableOf(query, query.chart, language) : undefined
  if (drawable === undefined || query.chart === null) return null
  const { label } = drawable
  const isOverTime = areTimes(label, label.cells)
  const line = () => lineChart(drawable, zones)
  const bars = () => barChart(drawable)
  // Values over times become a line or nothing, except ranked times. What fits no line and no pie becomes bars.
  const draw = {
    line: () => line() ?? (isOverTime ? undefined : bars()),
    bar: () => (isOverTime && isOrdered(label.cells.map(String)) ? line() : bars()),
    pie: () => (isOverTime ? line() : (pieChart(drawable) ?? bars())),
  }[query.chart.kind]
  const chart = draw()
  return chart === undefined || isConstant(chart) ? null : chart
}

/** Returns the suggested columns that exist and fit on one axis. */
function drawableOf(query: QueryReport, request: NonNullable<QueryReport['chart']>, language: Language): Drawable | undefined {
  const label = columnOf(query, request.label)
  const split = request.series === null ? undefined : columnOf(query, request.series)
  const named = [...new Set(request.values)].map(name => columnOf(query, name)).filter(column => column !== undefined)
  const [first, ...others] = named.filter(column => isNumberColumn(column) && column.name !== label?.name)
  if (label === undefined || first === undefined) return undefined
  if (split !== undefined) return { query, label, values: [first], split, unit: columnWords(first.name).unit, language }
  const { unit } = columnWords(first.name)
  const fitting = others.filter(column => columnWords(column.name).unit === unit && isComparable(first, column))
  return { query, label, values: [first, ...fitting].slice(0, AGENT_LIMITS.chart.series), split, unit, language }
}

function columnOf({ columns, rows }: QueryReport, name: string): Column | undefined {
  const position = columns.findIndex(column => column.name === name)
  const column = columns[position]
  return column && { ...column, cells: rows.map(cells => cells[position] ?? null) }
}

function isComparable(one: Column, other: Column): boolean {
  const [a, b] = [one, other].map(({ cells }) => Math.max(0, ...cells.map(cell => Math.abs(drawnNumber(cell) ?? 0))))
  return (
    a === undefined || b === undefined || (a <= b * AGENT_LIMITS.chart.seriesRatio && b <= a * AGENT_LIMITS.chart.seriesRatio)
  )
}

/** Draws a line over times, or over numbers that rise or fall. Undefined for any other labels. */
function lineChart(drawable: Drawable, zones: ChartZones): Chart | undefined {
  const { query, label, values, unit } = drawable
  const axis = timeAxis(label, label.cells, zones, AGENT_LIMITS.chart.points.most) ?? numberAxis(drawable)
  if (axis === undefined || axis.labels.length < AGENT_LIMITS.chart.points.least) return undefined
  const series = seriesOf(drawable, axis.positions, axis.labels.length)
  const isLine =
    series?.every(({ values }) => values.filter(value => value !== null).length >= AGENT_LIMITS.chart.points.least) ?? false
  if (series === undefined || !isLine) return undefined
  const zone = axis.zone === undefined ? '' : ` (${axis.zone})`
  const remark = `${zone}${query.truncated ? ` (${chartWords(drawable.language).firstRows(query.rows.length)})` : ''}`
  const chart = chartOf('line', drawable, axis.labels, series, { remark, isOverTime: areTimes(label, label.cells) })
  const isAmount = unit !== '%' && !values.some(column => NOT_ADDITIVE.test(column.name))
  return !isAmount && areClose(drawnValues(series)) ? { ...chart, starts_elsewhere: true } : chart
}

/**
 * Uses the numbers of the label column as an axis, such as hours of the day or days ago. Time runs from left to right. Undefined
 * if the numbers neither rise nor fall, because they may then be names, such as years in a ranking.
 */
function numberAxis({ label }: Drawable) {
  const numbers = label.cells.map(drawnNumber).filter(number => number !== null)
  if (!isNumberColumn(label) || numbers.length < label.cells.length) return undefined
  const names = new Map(numbers.map((number, row) => [number, String(label.cells[row])]))
  const points = [...names.keys()]
  if (points.length > AGENT_LIMITS.chart.points.most || !isOrdered(points)) return undefined
  const direction = COUNTS_BACK.test(columnWords(label.name).name) ? -1 : 1
  points.sort((a, b) => direction * (a - b))
  return {
    labels: points.map(point => names.get(point) ?? ''),
    positions: numbers.map(number => points.indexOf(number)),
    zone: undefined,
  }
}

function barChart(drawable: Drawable): Chart | undefined {
  const { query, label, values, language } = drawable
  const words = chartWords(language)
  const names = namesOf(label.cells, language)
  if (names === undefined) return undefined
  const labels = [...new Set(names)].slice(0, AGENT_LIMITS.chart.bars.most)
  const isCut = labels.length < new Set(names).size
  // Without a ranking, the bars that fit would be an arbitrary choice, so there is no chart.
  if (labels.length < AGENT_LIMITS.chart.bars.least || (isCut && !isRanked(values[0]))) return undefined
  const all = seriesOf(
    drawable,
    names.map(name => labels.indexOf(name)),
    labels.length,
  )
  const series = all?.filter(each => each.values.some(value => value !== null))
  if (series === undefined || series.length === 0) return undefined
  const whole = isPart(query) ? null : new Set(names).size
  const isRemarked = isCut || query.truncated || (isPart(query) && !asksFor(query.question, labels.length))
  const remark = isRemarked ? ` (${words.first(labels.length, whole)})` : ''
  return chartOf('bar', drawable, labels, series, { remark })
}

/** Whether the table may have more rows than the result, because of the maximum number of rows or a LIMIT in the SQL. */
function isPart({ truncated, rows, sql }: QueryReport): boolean {
  return truncated || rows.length === lastLimit(sql ?? '')
}

/** Whether a question names the number of rows itself, such as "Which three links …". */
function asksFor(question: string, count: number): boolean {
  const words = question.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  return words.some(word => (NUMBER_WORDS.get(word) ?? Number(word)) === count)
}

function pieChart(drawable: Drawable): Chart | undefined {
  const { query, label, values, split, unit, language } = drawable
  const names = namesOf(label.cells, language)
  const [column] = values
  if (names === undefined || column === undefined || split !== undefined || isPart(query)) return undefined
  const parts = column.cells.map(drawnNumber)
  const sum = parts.reduce<number>((total, part) => total + (part ?? 0), 0)
  const largest = Math.max(...parts.map(part => part ?? 0))
  const isWhole =
    unit === '%' ? sum >= WHOLE_PERCENT.least && sum <= WHOLE_PERCENT.most : !NOT_ADDITIVE.test(column.name) && sum > 0
  // If one slice equals the sum of all others, it is probably their total, and must not be drawn as a slice.
  const hasTotal = parts.length > 2 && largest * 2 === sum
  const fits =
    names.length >= AGENT_LIMITS.chart.slices.least &&
    names.length <= AGENT_LIMITS.chart.slices.most &&
    new Set(names).size === names.length
  if (
    !fits ||
    !isWhole ||
    hasTotal ||
    parts.some(part => part === null || part < 0) ||
    largest > AGENT_LIMITS.chart.sliceShare * sum
  )
    return undefined
  return chartOf('pie', drawable, names, [{ name: columnWords(column.name).name, values: parts }])
}

/** Returns the cells as labels. Undefined if one of the cells is a list or a map. */
function namesOf(cells: readonly Cell[], language: Language): readonly string[] | undefined {
  const names = cells.map(cell => labelOf(cell, language)).filter(name => name !== undefined)
  return names.length === cells.length ? names : undefined
}

function isRanked(column: Column | undefined): boolean {
  const numbers = column?.cells.map(cell => drawnNumber(cell) ?? Number.NEGATIVE_INFINITY) ?? []
  return numbers.every((value, index) => index === 0 || value <= (numbers[index - 1] ?? value))
}

/**
 * Returns the values of each series at each place of the axis, with null for a gap. Undefined if a series has two rows at the
 * same place, or if there are too many series.
 */
function seriesOf({ values, split, language }: Drawable, positions: readonly number[], places: number): Series[] | undefined {
  const series = new Map<string, (number | null)[]>()
  const taken = new Set<string>()
  for (const column of values) {
    for (const [row, place] of positions.entries()) {
      const name = split === undefined ? columnWords(column.name).name : labelOf(split.cells[row], language)
      if (name === undefined) return undefined
      if (place < 0) continue
      const own = series.get(name) ?? Array.from({ length: places }, () => null)
      series.set(name, own)
      const key = `${place} ${name}`
      if (taken.has(key) || series.size > AGENT_LIMITS.chart.series) return undefined
      taken.add(key)
      own[place] = drawnNumber(column.cells[row])
    }
  }
  return [...series].map(([name, numbers]) => ({ name, values: numbers }))
}

function chartOf(
  kind: Chart['kind'],
  { label, values, split, unit, language }: Drawable,
  labels: readonly string[],
  series: readonly Series[],
  { remark = '', isOverTime = false }: { readonly remark?: string; readonly isOverTime?: boolean } = {},
): Chart {
  const names = values.map(column => columnWords(column.name).name)
  const title = titleOf(names, columnWords(label.name).name, {
    isOverTime,
    language,
    ...(split === undefined ? {} : { split: columnWords(split.name).name }),
  })
  return {
    kind,
    title: `${title}${remark}`,
    labels: [...labels],
    series: [...series],
    unit,
    ...(language !== 'en' && { language }),
  }
}

function isConstant({ series }: Chart): boolean {
  return new Set(series.flatMap(({ values }) => values.filter(value => value !== null))).size < 2
}

/** Whether values ascend or descend. Times are compared as texts, which have the same order. */
function isOrdered<Value extends number | string>(values: readonly Value[]): boolean {
  const holds = (compare: (a: Value, b: Value) => boolean) =>
    values.every((value, index) => index === 0 || compare(values[index - 1] ?? value, value))
  return holds((a, b) => a <= b) || holds((a, b) => a >= b)
}
