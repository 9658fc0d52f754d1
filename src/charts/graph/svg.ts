import type { Language } from '../../words/language.ts'
import { lineageWords } from '../../words/lineage.ts'
import { CHART_LIMITS } from '../limits.ts'
import type { GraphPicture, PicturedTable } from '../picture.ts'
import { plainText } from '../plain-text.ts'
import { CHART_STYLE } from '../style.ts'
import { fittingText } from '../text-width.ts'
import { countText } from '../value-text.ts'
import { type FoldedGraph, foldGraph, type Point } from './fold-graph.ts'
import { labelLines } from './label-lines.ts'
import { graphLegend } from './legend.ts'
import { nodeShape } from './node-shapes.ts'
import { type Link, rankGraph } from './rank-graph.ts'
import { GRAPH_STYLE } from './style.ts'
import { shapeTag, svgText } from './svg-text.ts'

const { margin, boxWidth, stem, leastWidth, line, backLine } = GRAPH_STYLE
const { titleSize, textSize, ink, softInk } = CHART_STYLE
const noteSize = 12
const LINE_HEIGHT = 18
const SMALL_HEIGHT = 17
const TAG_HEIGHT = 20
const CORNER = 5
/** The height of the lid of a drum (the symbol of a database). The lid has no space for text. */
const LID = 6

/** A node of the graph, with the texts in it. */
interface Node {
  readonly table: PicturedTable
  readonly label: readonly string[]
  readonly small: string
  readonly tag: string
  readonly height: number
}

/** A graph whose layout is finished. Exported for tests. */
export interface LaidOutGraph {
  readonly nodes: readonly Node[]
  readonly links: readonly Link[]
  readonly folded: FoldedGraph
}

export function layOutGraph({ nodes: tables, edges, language }: GraphPicture): LaidOutGraph {
  // If a table reads its own earlier rows, its text says so. No line is drawn, because nobody would notice a line from a table to
  // itself.
  const links = edges.filter(({ from, to }) => from !== to)
  const nodes = tables.map((table, index) => {
    const leads = links.some(({ from }) => from === index)
    return nodeOf(
      table,
      leads,
      edges.some(({ from, to }) => from === index && to === index),
      language,
    )
  })
  const heights = nodes.map(({ height }) => height)
  return { nodes, links, folded: foldGraph(rankGraph(heights, links), heights, links) }
}

/** Returns the drawing and its size in the picture's pixels. */
export function graphSvg(picture: GraphPicture): { readonly svg: string; readonly width: number; readonly height: number } {
  const { nodes, links, folded } = layOutGraph(picture)
  const width = Math.max(leastWidth, folded.width + 2 * margin)
  const top = margin + titleSize + 22
  const left = (width - folded.width) / 2
  const legend = graphLegend(
    picture,
    folded.routes.some(({ isBack }) => isBack),
    { x: margin, y: top + folded.height + 26, width: width - 2 * margin },
  )
  const height = legend.bottom + margin - 4
  const starts = new Set(folded.routes.map(({ isBack }, index) => (isBack ? links[index]?.to : links[index]?.from)))
  const drawn = [
    ...folded.routes.map(routeSvg),
    ...nodes.map((node, index) => nodeSvg(node, folded.boxes[index] ?? { x: 0, y: 0 }, starts.has(index), picture.language)),
  ]
  const title = fittingText(plainText(picture.title).slice(0, CHART_LIMITS.titleCharacters), titleSize, width - 2 * margin, true)
  return {
    width,
    height,
    svg: [
      `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="${CHART_STYLE.font}">`,
      `<defs>${arrow('arrow', line)}${arrow('back', backLine)}</defs>`,
      `<rect width="${width}" height="${height}" fill="${CHART_STYLE.background}"/>`,
      svgText(title, { x: margin, y: margin + titleSize - 4 }, { size: titleSize, color: ink, isBold: true }),
      `<g transform="translate(${left} ${top})">${drawn.join('')}</g>`,
      legend.svg,
      '</svg>',
    ].join(''),
  }
}

function nodeOf(table: PicturedTable, leads: boolean, readsItself: boolean, language: Language = 'en'): Node {
  const words = lineageWords(language)
  const label = labelLines(plainText(table.label) || words.noName, textSize, boxWidth - 24)
  // The row count stands on the line that leaves the table. If no line leaves the table, the count stands in its box.
  const count = leads || table.rows === null ? '' : words.rows(countText(table.rows, language), table.rows === 1)
  const small = [table.state === 'live' ? '' : words.states[table.state], count, readsItself ? words.readsItself : '']
    .filter(part => part !== '')
    .join(', ')
  const tag = [table.suspected ? words.hasSuspicion : '', table.failed ? words.hasFailed : '']
    .filter(part => part !== '')
    .join(', ')
  const box = label.length * LINE_HEIGHT + (small === '' ? 0 : SMALL_HEIGHT) + 18 + (table.kind === 'outside' ? LID : 0)
  // Lines meet a node at half its height. So the node gets as much free space below its box as its tag takes above.
  return { table, label, small, tag, height: box + (tag === '' ? 0 : 2 * TAG_HEIGHT) }
}

function nodeSvg(
  { table, label, small, tag, height }: Node,
  { x, y }: Point,
  hasStem: boolean,
  language: Language | undefined,
): string {
  const inset = tag === '' ? 0 : TAG_HEIGHT
  const box = { x, y: y + inset, width: boxWidth, height: height - 2 * inset }
  const middle = x + boxWidth / 2
  const color = table.state === 'gone' || table.state === 'replaced' ? softInk : ink
  const lid = table.kind === 'outside' ? LID : 0
  const first = box.y + (lid + box.height - label.length * LINE_HEIGHT - (small === '' ? 0 : SMALL_HEIGHT)) / 2 + 14
  const port = { x: x + boxWidth, y: y + height / 2 }
  return [
    hasStem ? `<path d="M${port.x} ${port.y}h${stem}" stroke="${line}" stroke-width="1.6"/>` : '',
    tag === '' ? '' : shapeTag(tag, box, table.suspected),
    nodeShape(table, box),
    ...label.map((text, index) =>
      svgText(text, { x: middle, y: first + index * LINE_HEIGHT }, { size: textSize, color, isMiddle: true }),
    ),
    small === ''
      ? ''
      : svgText(
          small,
          { x: middle, y: first + label.length * LINE_HEIGHT - 1 },
          { size: noteSize, color: softInk, isMiddle: true },
        ),
    hasStem && table.rows !== null
      ? svgText(
          countText(table.rows, language),
          { x: port.x + stem / 2 + (tag === '' ? 0 : 4), y: port.y - 5 },
          { size: noteSize, color: softInk, isMiddle: true },
        )
      : '',
  ].join('')
}

function routeSvg({ points, isBack }: FoldedGraph['routes'][number]): string {
  const [start = { x: 0, y: 0 }] = points
  const path = points.slice(1).map((point, index) => {
    const before = points[index] ?? start
    const after = points[index + 2]
    if (!isStraight(before, point)) {
      const middle = (before.x + point.x) / 2
      return `C${middle} ${before.y} ${middle} ${point.y} ${point.x} ${point.y}`
    }
    if (after === undefined || !isStraight(point, after)) return `L${point.x} ${point.y}`
    const [turn, out] = [towards(point, before), towards(point, after)]
    return `L${turn.x} ${turn.y}Q${point.x} ${point.y} ${out.x} ${out.y}`
  })
  const look = isBack
    ? `stroke="${backLine}" stroke-dasharray="2 4" marker-end="url(#back)"`
    : `stroke="${line}" marker-end="url(#arrow)"`
  return `<path d="M${start.x} ${start.y}${path.join('')}" fill="none" stroke-width="1.6" ${look}/>`
}

function isStraight(one: Point, other: Point): boolean {
  return one.x === other.x || one.y === other.y
}

/** Returns a point near `one`, on the way to `other`, where a rounded corner begins or ends. */
function towards(one: Point, other: Point): Point {
  const length = Math.hypot(other.x - one.x, other.y - one.y)
  const part = length === 0 ? 0 : Math.min(CORNER, length / 2) / length
  return { x: one.x + (other.x - one.x) * part, y: one.y + (other.y - one.y) * part }
}

function arrow(id: string, color: string): string {
  return `<marker id="${id}" viewBox="0 0 10 10" refX="9.5" refY="5" markerWidth="9" markerHeight="9" markerUnits="userSpaceOnUse" orient="auto"><path d="M0 0.5L10 5L0 9.5z" fill="${color}"/></marker>`
}
