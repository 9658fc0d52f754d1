import type { EChartsOption } from 'echarts'
import { chartWords } from '../words/chart.ts'
import type { Chart } from './chart.ts'
import { CHART_STYLE } from './style.ts'
import { fittingText, textWidth } from './text-width.ts'

const { margin, titleSize, textSize, smallSize, ink, softInk, colors } = CHART_STYLE
/** The gap between the names of two series, and between two rows of names. */
const LEGEND_GAP = 13

export interface ChartHead {
  readonly option: EChartsOption
  readonly height: number
}

/** Draws the head of a chart: the title in at most two lines, a note about the axis, and the names of several series. */
export function chartHead(
  { title, series, language, starts_elsewhere: startsElsewhere = false }: Chart,
  width: number,
): ChartHead {
  const [first, second] = twoLines(title, width - 2 * margin)
  const noteHeight = startsElsewhere ? smallSize + 10 : 0
  const titleHeight = margin + (second === undefined ? 1 : 2) * (titleSize + 6) + 8 + noteHeight
  const hasLegend = series.length > 1
  const names = series.map(({ name }) => fittingText(name, smallSize, width / 3))
  const rows = hasLegend ? legendRows(names, width - 2 * margin) : 0
  return {
    height: titleHeight + rows * (smallSize + LEGEND_GAP),
    option: {
      animation: false,
      color: [...colors],
      backgroundColor: CHART_STYLE.background,
      textStyle: { fontFamily: CHART_STYLE.font, fontSize: textSize, color: ink },
      title: {
        text: second === undefined ? first : `${first}\n${second}`,
        left: margin - 5,
        top: margin - 8,
        textStyle: { fontSize: titleSize, fontWeight: 'bold', color: ink, lineHeight: titleSize + 6 },
        ...(startsElsewhere
          ? { subtext: chartWords(language).axisElsewhere, subtextStyle: { fontSize: smallSize, color: softInk }, itemGap: 6 }
          : {}),
      },
      ...(hasLegend
        ? {
            legend: {
              type: 'plain',
              left: margin - 5,
              width: width - 2 * margin,
              top: titleHeight - 6,
              icon: 'roundRect',
              itemWidth: 14,
              itemHeight: 8,
              itemGap: LEGEND_GAP,
              textStyle: { fontSize: smallSize, color: softInk },
              formatter: (id: string) => names[Number(id)] ?? '',
            },
          }
        : {}),
    },
  }
}

function twoLines(title: string, width: number): readonly [string, string?] {
  const fits = (text: string) => textWidth(text, titleSize, true) <= width
  if (fits(title)) return [title]
  // A title may break between words, but not inside brackets.
  const words = title.match(/\([^()]*\)|\S+/g) ?? [title]
  let count = words.length - 1
  while (count > 1 && !fits(words.slice(0, count).join(' '))) count -= 1
  const first = words.slice(0, count).join(' ')
  if (!fits(first)) return [fittingText(title, titleSize, width, true)]
  return [first, fittingText(words.slice(count).join(' '), titleSize, width, true)]
}

function legendRows(names: readonly string[], width: number): number {
  let rows = 1
  let room = width
  for (const name of names) {
    const needed = textWidth(name, smallSize) + 14 + 5 + LEGEND_GAP
    if (needed > room) {
      rows += 1
      room = width
    }
    room -= needed
  }
  return rows
}
