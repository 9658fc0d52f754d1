import { createRequire } from 'node:module'
import { Resvg } from '@resvg/resvg-js'
import { init, setPlatformAPI } from 'echarts/dist/echarts.esm.min'
import type { Chart } from './chart.ts'
import { GRAPH_STYLE } from './graph/style.ts'
import { graphSvg } from './graph/svg.ts'
import { layOutChart } from './option.ts'
import type { Picture } from './picture.ts'
import { CHART_STYLE } from './style.ts'
import { textWidth } from './text-width.ts'

const { resolve } = createRequire(import.meta.url)
const FONTS = ['DejaVuSans', 'DejaVuSans-Bold'].map(name => resolve(`dejavu-fonts-ttf/ttf/${name}.ttf`))
/**
 * Matches characters that DejaVu Sans lacks, such as Chinese, Korean or emoji. For a picture with such a character, the system's
 * fonts are loaded too.
 */
const FOREIGN =
  /[\u0900-\u0e7f\u0f00-\u109f\u1100-\u11ff\u1780-\u17ff\u2e80-\ua4cf\uac00-\ud7ff\uf900-\ufaff\u{10000}-\u{10ffff}]/u

setPlatformAPI({
  measureText: (text: string, font?: string) => {
    const [, size = '12'] = /(?<!\d)(\d+(?:\.\d+)?)px/.exec(font ?? '') ?? []
    return { width: textWidth(text, Number(size), /bold/.test(font ?? '')) }
  },
})

/**
 * Draws a picture as PNG. This blocks the thread for at most some tenths of a second.
 * @param zoom pixels of the PNG per pixel of the layout; reduced for a very large graph
 */
export function drawPicture(picture: Picture, zoom: number = CHART_STYLE.zoom): Uint8Array {
  if (picture.kind !== 'graph') return painted(chartSvg(picture), zoom)
  const { svg, width, height } = graphSvg(picture)
  return painted(svg, Math.min(zoom, Math.sqrt(GRAPH_STYLE.mostPixels / (width * height))))
}

function painted(svg: string, zoom: number): Uint8Array {
  const picture = new Resvg(svg, {
    fitTo: { mode: 'zoom', value: zoom },
    background: CHART_STYLE.background,
    font: {
      fontFiles: FONTS,
      loadSystemFonts: FOREIGN.test(svg),
      defaultFontFamily: CHART_STYLE.font,
      sansSerifFamily: CHART_STYLE.font,
    },
    logLevel: 'off',
  })
  return picture.render().asPng()
}

export function chartSvg(chart: Chart): string {
  const { option, width, height } = layOutChart(chart)
  const drawn = init(null, null, { renderer: 'svg', ssr: true, width, height })
  try {
    drawn.setOption(option)
    return drawn.renderToSVGString()
  } finally {
    drawn.dispose()
  }
}
