import stringWidth from 'string-width'
import type { Chart } from '../../charts/chart.ts'
import { valueText } from '../../charts/value-text.ts'
import { chartWords } from '../../words/chart.ts'
import { TERMINAL_LIMITS } from './limits.ts'
import type { View } from './style.ts'
import { terminalText } from './text.ts'

const STEPS = '▁▂▃▄▅▆▇█'
const BAR = '█'

/**
 * Draws a chart as text: one bar per name, or one curve per series over time. Returns an empty text for bars of several series,
 * and for bars that are below zero or all zero.
 */
export function chartView(chart: Chart, view: View): string {
  const lines = { line: curves, bar: bars, pie: bars }[chart.kind](chart, view)
  return lines.length === 0 ? '' : [view.style('bold', terminalText(chart.title)), ...lines].join('\n')
}

function bars({ labels, series, unit, language }: Chart, { width, style }: View): string[] {
  const values = series[0]?.values ?? []
  const most = Math.max(...values.map(value => value ?? 0))
  if (series.length !== 1 || most <= 0 || values.some(value => value !== null && value < 0)) return []
  const names = inColumns(labels)
  const texts = values.map(value => (value === null ? '–' : valueText(value, unit, language)))
  const room = Math.max(8, Math.min(TERMINAL_LIMITS.curveColumns, width) - widest(names) - widest(texts) - 4)
  return names.map((name, index) => {
    const length = Math.ceil(((values[index] ?? 0) / most) * room)
    return `${name}  ${style('cyan', BAR.repeat(length))} ${texts[index]}`
  })
}

function curves(
  { labels, series, unit, language, starts_elsewhere: startsElsewhere = false }: Chart,
  { width, style }: View,
): string[] {
  const words = chartWords(language)
  const names = inColumns(series.map(({ name }) => name))
  const room = Math.max(8, Math.min(TERMINAL_LIMITS.curveColumns, width - widest(names) - 30))
  const lines = series.map(({ values }, index) => {
    const numbers = values.filter(value => value !== null)
    const [least, most] = [Math.min(...numbers), Math.max(...numbers)]
    const [bottom, top] = startsElsewhere ? [least, most] : [Math.min(0, least), Math.max(0, most)]
    const curve = means(values, room).map(value => stepOf(value, bottom, top))
    return `${names[index]}  ${style('cyan', curve.join(''))}  ${words.range(valueText(least, unit, language), valueText(most, unit, language))}`
  })
  const note = startsElsewhere ? ` (${words.curvesElsewhere})` : ''
  return [...lines, style('dim', `${words.range(terminalText(labels[0] ?? ''), terminalText(labels.at(-1) ?? ''))}${note}`)]
}

/**
 * Reduces a curve to at most `most` values. Each result is the mean of a group of values. It is null if all values of the group
 * are missing.
 */
function means(values: Chart['series'][number]['values'], most: number): (number | null)[] {
  const size = Math.ceil(values.length / most)
  return Array.from({ length: Math.ceil(values.length / size) }, (_, index) => {
    const some = values.slice(index * size, (index + 1) * size).filter(value => value !== null)
    return some.length === 0 ? null : some.reduce((sum, value) => sum + value / some.length, 0)
  })
}

function stepOf(value: number | null, least: number, most: number): string {
  if (value === null) return ' '
  return STEPS[most === least ? 0 : Math.round(((value - least) / (most - least)) * (STEPS.length - 1))] ?? ' '
}

function inColumns(texts: readonly string[]): string[] {
  const cut = texts.map(text => {
    const characters = [...terminalText(text).replace(/\s+/g, ' ')]
    while (stringWidth(characters.join('')) > TERMINAL_LIMITS.chartNameColumns) characters.pop()
    return characters.join('')
  })
  const columns = widest(cut)
  return cut.map(text => text + ' '.repeat(columns - stringWidth(text)))
}

function widest(texts: readonly string[]): number {
  return Math.max(...texts.map(text => stringWidth(text)))
}
