import { lineageWords } from '../../words/lineage.ts'
import { type GraphPicture, TABLE_KINDS, TABLE_STATES } from '../picture.ts'
import { CHART_STYLE } from '../style.ts'
import { textWidth } from '../text-width.ts'
import type { Point } from './fold-graph.ts'
import { nodeShape } from './node-shapes.ts'
import { GRAPH_STYLE } from './style.ts'
import { svgText } from './svg-text.ts'

const { smallSize, softInk } = CHART_STYLE
const SAMPLE = { width: 30, height: 18 }
const ROW = 30
const GAP = 22

interface Entry {
  readonly text: string
  sample(at: Point): string
}

/** Draws a legend of the shapes and outlines in the graph. */
export function graphLegend(
  { nodes, edges, language }: GraphPicture,
  hasCycle: boolean,
  { x, y, width }: Point & { readonly width: number },
): { readonly svg: string; readonly bottom: number } {
  const words = lineageWords(language)
  const box = (at: Point) => ({ x: at.x, y: at.y - SAMPLE.height / 2, ...SAMPLE })
  const entries: Entry[] = [
    ...TABLE_KINDS.filter(kind => nodes.some(node => node.kind === kind)).map(kind => ({
      text: words.kindMeans[kind],
      sample: (at: Point) => nodeShape({ kind, state: 'live' }, box(at)),
    })),
    ...TABLE_STATES.filter(state => state !== 'live' && nodes.some(node => node.state === state)).map(state => ({
      text: words.stateMeans[state],
      sample: (at: Point) =>
        nodeShape({ kind: nodes.find(node => node.state === state)?.kind ?? 'intermediate', state }, box(at)),
    })),
    ...(edges.some(({ from }) => nodes[from]?.rows != null)
      ? [
          {
            text: words.rowsWentOn,
            sample: (at: Point) =>
              svgText('123', { x: at.x + 2, y: at.y - 3 }, { size: smallSize - 2, color: softInk }) +
              lineSample(at, GRAPH_STYLE.line, ''),
          },
        ]
      : []),
    ...(hasCycle
      ? [{ text: words.leadsBack, sample: (at: Point) => lineSample(at, GRAPH_STYLE.backLine, ' stroke-dasharray="2 4"') }]
      : []),
  ]
  const parts: string[] = [`<path d="M${x} ${y - 14}h${width}" stroke="${CHART_STYLE.line}"/>`]
  let at = { x, y: y + 8 }
  for (const { text, sample } of entries) {
    const needed = SAMPLE.width + 8 + textWidth(text, smallSize)
    if (at.x > x && at.x + needed > x + width) at = { x, y: at.y + ROW }
    parts.push(sample(at), svgText(text, { x: at.x + SAMPLE.width + 8, y: at.y + 5 }, { size: smallSize, color: softInk }))
    at = { x: at.x + needed + GAP, y: at.y }
  }
  return { svg: parts.join(''), bottom: at.y + SAMPLE.height / 2 }
}

function lineSample({ x, y }: Point, color: string, dashes: string): string {
  return `<path d="M${x} ${y + 4}h${SAMPLE.width}" stroke="${color}" stroke-width="1.6"${dashes}/>`
}
