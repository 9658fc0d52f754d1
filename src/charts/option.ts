import type { EChartsOption } from 'echarts'
import { axisTicks } from './axis-ticks.ts'
import { type Chart, drawnValues } from './chart.ts'
import { type ChartHead, chartHead } from './head.ts'
import { CHART_LIMITS } from './limits.ts'
import { plainText } from './plain-text.ts'
import { CHART_STYLE } from './style.ts'
import { fittingText, textWidth } from './text-width.ts'
import { valueText } from './value-text.ts'

const { margin, textSize, smallSize, ink, softInk, line } = CHART_STYLE
/**
 * Heights of bars in pixels. `one`: a bar with its gap, in a chart with one series. `ofSeveral`: a bar in a chart with several
 * series. `gap`: the space between two groups of such bars.
 */
const BAR = { one: 26, ofSeveral: 13, gap: 10 }
/** The names of bars take at most this fraction of the picture's width. */
const NAMES_PART = 0.38

/**
 * A chart's layout for ECharts, and the picture's size. Series are identified by index, because several may have the same name.
 */
export interface LaidOutChart {
  readonly option: EChartsOption
  readonly width: number
  readonly height: number
}

export function layOutChart(chart: Chart): LaidOutChart {
  const shown = withPlainTexts(chart)
  const { layOut, width } = {
    line: { layOut: lines, width: CHART_STYLE.width },
    bar: { layOut: bars, width: CHART_STYLE.width },
    pie: { layOut: pie, width: CHART_STYLE.pieWidth },
  }[chart.kind]
  return { ...layOut(shown, chartHead(shown, width), width), width }
}

function withPlainTexts(chart: Chart): Chart {
  return {
    ...chart,
    title: plainText(chart.title),
    labels: chart.labels.map(plainText),
    series: chart.series.map(each => ({ ...each, name: plainText(each.name) })),
  }
}

type Layout = Pick<LaidOutChart, 'option' | 'height'>

function lines(
  { labels, series, unit, language, starts_elsewhere: startsElsewhere = false }: Chart,
  head: ChartHead,
  width: number,
): Layout {
  const { height } = CHART_STYLE
  const values = drawnValues(series)
  const ticks = axisTicks(labels, smallSize, width - 110)
  const last = labels.length - 1
  const lastName = ticks.isNamed(last) ? textWidth(ticks.name(labels[last] ?? ''), smallSize) : 0
  return {
    height,
    option: {
      ...head.option,
      grid: {
        left: margin,
        right: margin / 2 + Math.max(margin / 2, lastName / 2),
        top: head.height + 12,
        bottom: margin,
        containLabel: true,
      },
      xAxis: {
        type: 'category',
        data: [...labels],
        boundaryGap: false,
        axisLine: { lineStyle: { color: line } },
        axisTick: { show: false },
        axisLabel: { color: softInk, fontSize: smallSize, interval: ticks.isNamed, formatter: ticks.name, margin: 12 },
      },
      yAxis: { ...valueAxis(values, unit, language), scale: startsElsewhere },
      series: series.map((each, index) => ({
        type: 'line' as const,
        id: String(index),
        name: String(index),
        data: [...each.values],
        connectNulls: false,
        lineStyle: { width: 2.5 },
        showSymbol: true,
        showAllSymbol: true,
        symbol: 'circle',
        symbolSize: (_: unknown, { dataIndex }: { dataIndex: number }) => symbolSize(each.values, dataIndex),
        ...(series.length === 1 && !startsElsewhere ? { areaStyle: { opacity: 0.08 } } : {}),
      })),
    },
  }
}

/** Returns the size of the dot at a point. A point between two gaps has no line, so only a dot makes it visible. */
function symbolSize(values: Chart['series'][number]['values'], index: number): number {
  if (values.length <= CHART_LIMITS.markedPoints) return 7
  return values[index - 1] == null && values[index + 1] == null ? 6 : 0
}

function bars({ labels, series, unit, language }: Chart, head: ChartHead, width: number): Layout {
  const values = drawnValues(series)
  const perRow = series.length === 1 ? BAR.one : BAR.ofSeveral * series.length + BAR.gap
  const valueWidth = Math.max(...values.map(value => textWidth(valueText(value, unit, language), smallSize)))
  const namesWidth = Math.min(width * NAMES_PART, Math.max(...labels.map(label => textWidth(label, textSize))))
  return {
    height: head.height + 12 + labels.length * perRow + margin,
    option: {
      ...head.option,
      // The grid leaves space for the numbers beside the bars, also beside negative bars.
      grid: {
        left: margin + namesWidth + 10 + (Math.min(...values) < 0 ? valueWidth : 0),
        right: margin + valueWidth + 6,
        top: head.height + 4,
        bottom: margin - 4,
      },
      xAxis: { type: 'value', show: false },
      yAxis: {
        type: 'category',
        data: [...labels],
        inverse: true,
        axisLine: { show: false },
        axisTick: { show: false },
        axisLabel: {
          color: ink,
          fontSize: textSize,
          interval: 0,
          margin: 10,
          formatter: (label: string) => fittingText(label, textSize, namesWidth),
        },
        offset: Math.min(...values) < 0 ? valueWidth : 0,
      },
      series: series.map((each, index) => ({
        type: 'bar' as const,
        id: String(index),
        name: String(index),
        data: each.values.map(value => ({ value, label: { position: value !== null && value < 0 ? 'left' : 'right' } as const })),
        barCategoryGap: series.length === 1 ? '32%' : '18%',
        barGap: '10%',
        barMinHeight: 1,
        itemStyle: { borderRadius: 2 },
        label: {
          show: true,
          color: softInk,
          fontSize: series.length === 1 ? smallSize : smallSize - 2,
          formatter: ({ value }: { value?: unknown }) => (typeof value === 'number' ? valueText(value, unit, language) : ''),
        },
      })),
    },
  }
}

function pie({ labels, series, unit, language }: Chart, head: ChartHead, width: number): Layout {
  const values = series[0]?.values ?? []
  const sum = values.reduce<number>((total, value) => total + (value ?? 0), 0)
  const size = 220
  const left = margin + size + 30
  const room = width - left - margin - 34
  const told = (value: number) => {
    const share = `${((100 * value) / sum).toLocaleString(language ?? 'en', { maximumFractionDigits: 1 })} %`
    return unit === '%' ? share : `${share} (${valueText(value, unit, language)})`
  }
  return {
    height: head.height + size + margin,
    option: {
      ...head.option,
      legend: {
        orient: 'vertical',
        left,
        top: head.height + size / 2 - (labels.length * 44) / 2,
        icon: 'circle',
        itemWidth: 12,
        itemHeight: 12,
        itemGap: 8,
        textStyle: {
          rich: {
            name: { fontSize: textSize, color: ink, lineHeight: 20 },
            value: { fontSize: smallSize, color: softInk, lineHeight: 18 },
          },
        },
        formatter: (id: string) => {
          const name = fittingText((labels[Number(id)] ?? '').replace(/[{}|]/g, ' '), textSize, room)
          return `{name|${name}}\n{value|${told(values[Number(id)] ?? 0)}}`
        },
      },
      series: [
        {
          type: 'pie',
          radius: [size * 0.28, size * 0.48],
          center: [margin + size / 2, head.height + size / 2],
          label: { show: false },
          itemStyle: { borderColor: CHART_STYLE.background, borderWidth: 2 },
          data: values.map((value, index) => ({ name: String(index), value: value ?? 0 })),
        },
      ],
    },
  }
}

function valueAxis(values: readonly number[], unit: string, language: Chart['language']) {
  return {
    type: 'value' as const,
    splitNumber: 4,
    ...(values.every(Number.isInteger) ? { minInterval: 1 } : {}),
    splitLine: { lineStyle: { color: line } },
    axisLabel: { color: softInk, fontSize: smallSize, formatter: (value: number) => valueText(value, unit, language) },
  }
}
