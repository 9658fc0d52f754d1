import { areClose, type Chart, drawnValues } from '../../../charts/chart.ts'
import type { Picture } from '../../../charts/picture.ts'
import { shortLine } from '../../shared/shown-text.ts'
import { SLACK_LIMITS } from '../limits.ts'

/**
 * Slack's own chart block. It is missing in @slack/types. Source:
 * docs.slack.dev/reference/block-kit/blocks/data-visualization-block.
 */
export interface ChartBlock {
  readonly type: 'data_visualization'
  readonly title: string
  readonly chart: PieChart | AxisChart
}

interface PieChart {
  readonly type: 'pie'
  readonly segments: readonly ChartPoint[]
}

interface AxisChart {
  readonly type: 'line' | 'bar'
  readonly series: readonly { readonly name: string; readonly data: readonly ChartPoint[] }[]
  readonly axis_config: { readonly categories: readonly string[]; readonly y_label?: string }
}

interface ChartPoint {
  readonly label: string
  readonly value: number
}

/**
 * Turns a chart into a Slack block. Undefined if Slack cannot show the chart well. The caller may then show it as a picture. That
 * is so for graphs, for charts beyond Slack's limits, and for line charts with close values. Such lines may look flat, because
 * Slack chooses where the axis starts.
 */
export function chartBlock(chart: Picture): ChartBlock | undefined {
  if (chart.kind === 'graph') return undefined
  const shown = { line: lineChart, bar: (bars: Chart) => axisChart(bars, 'bar'), pie: pieChart }[chart.kind](chart)
  return shown && { type: 'data_visualization', title: chartTitle(chart), chart: shown }
}

/** Returns a chart's title, cut to Slack's limit. A message without blocks shows only the title. */
export function chartTitle({ title }: Picture): string {
  return shortLine(title, SLACK_LIMITS.chartTitle) || 'Chart'
}

function pieChart({ labels, series }: Chart): PieChart | undefined {
  const segments = chartPoints(labels.map(visibleName), series[0]?.values ?? [])
  if (segments === undefined || segments.length > SLACK_LIMITS.chartSegments) return undefined
  return segments.every(({ value }) => value > 0) ? { type: 'pie', segments } : undefined
}

function lineChart(chart: Chart): AxisChart | undefined {
  return areClose(drawnValues(chart.series)) ? undefined : axisChart(chart, 'line')
}

function axisChart(chart: Chart, type: 'line' | 'bar'): AxisChart | undefined {
  const categories = chart.labels.map(visibleName)
  const names = chart.series.map(({ name }) => visibleName(name) || chartTitle(chart))
  if (!areNames(names) || names.length > SLACK_LIMITS.chartSeries || categories.length > SLACK_LIMITS.chartPoints)
    return undefined
  const lines = chart.series.map(({ values }) => chartPoints(categories, values))
  if (!lines.every(line => line !== undefined)) return undefined
  const unit = shortLine(chart.unit, SLACK_LIMITS.chartTitle)
  return {
    type,
    series: lines.map((data, index) => ({ name: names[index] ?? '', data })),
    axis_config: { categories, ...(unit === '' ? {} : { y_label: unit }) },
  }
}

/** Turns values into the points of a series. Undefined if a value is missing, because Slack allows no gaps. */
function chartPoints(labels: readonly string[], values: Chart['series'][number]['values']): readonly ChartPoint[] | undefined {
  if (!areNames(labels) || values.length !== labels.length) return undefined
  const points = labels.map((label, index) => ({ label, value: values[index] ?? Number.NaN }))
  return points.every(({ value }) => Number.isFinite(value)) ? points : undefined
}

function visibleName(name: string): string {
  return shortLine(name, Number.POSITIVE_INFINITY)
}

/** Whether Slack accepts these labels. All labels must be short and different. */
function areNames(labels: readonly string[]): boolean {
  return new Set(labels).size === labels.length && labels.every(label => label !== '' && label.length <= SLACK_LIMITS.chartLabel)
}
