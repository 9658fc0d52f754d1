import { Graph, layout } from '@dagrejs/dagre'
import { plainText } from '../plain-text.ts'
import { CHART_STYLE } from '../style.ts'
import type { Point } from './fold-graph.ts'
import { labelLines } from './label-lines.ts'
import type { Link } from './rank-graph.ts'
import { GRAPH_STYLE } from './style.ts'

/** A graph for a page that can be zoomed. Lengths are in pixels, from the top left corner. */
export interface PlacedGraph {
  readonly width: number
  readonly height: number
  /** The top left corner of each box, its size, and its label in lines. */
  readonly boxes: readonly (Point & { readonly width: number; readonly height: number; readonly lines: readonly string[] })[]
  /** The line of each link, as the `d` of an SVG path. */
  readonly paths: readonly string[]
}

const { boxWidth, rowGap } = GRAPH_STYLE
const LINE_HEIGHT = 18
const FRAME = 38
const COLUMN_GAP = 64
/** The gap between two boxes of a column. A tag above a box has room in it. */
const TAG_GAP = 26

/**
 * Arranges labelled boxes from left to right. In contrast to `layOutGraph`, the graph may be as wide as it likes, and 500 boxes
 * take half a second.
 */
export function placeGraph(labels: readonly string[], links: readonly Link[]): PlacedGraph {
  const graph = new Graph()
  // `tight-tree` is four times as fast as the default for 500 boxes, and the columns look the same.
  graph.setGraph({ rankdir: 'LR', nodesep: TAG_GAP, edgesep: rowGap, ranksep: COLUMN_GAP, ranker: 'tight-tree' })
  const sizes = labels.map(label => {
    const lines = labelLines(plainText(label), CHART_STYLE.textSize, boxWidth - 24)
    return { lines, width: boxWidth, height: lines.length * LINE_HEIGHT + FRAME }
  })
  for (const [index, { width, height }] of sizes.entries()) graph.setNode(String(index), { width, height })
  const drawn = links.filter(({ from, to }) => from !== to)
  for (const { from, to } of drawn) graph.setEdge(String(from), String(to), { width: 0, height: 0 })
  layout(graph)
  const boxes = sizes.map((size, index) => {
    const { x, y } = graph.node(String(index)) as Point
    return { x: round(x - boxWidth / 2), y: round(y - size.height / 2), ...size }
  })
  const paths = links.map(({ from, to }) => {
    const [start, end] = [boxes[from], boxes[to]]
    if (from === to || start === undefined || end === undefined) return ''
    const { points } = graph.edge(String(from), String(to)) as { readonly points: readonly Point[] }
    return pathThrough([
      { x: start.x + boxWidth, y: start.y + start.height / 2 },
      ...points.slice(1, -1),
      { x: end.x, y: end.y + end.height / 2 },
    ])
  })
  const { width = 0, height = 0 } = graph.graph()
  return { width: round(width), height: round(height), boxes, paths }
}

/** Draws a smooth line that is level at each of its points. */
function pathThrough([first = { x: 0, y: 0 }, ...others]: readonly Point[]): string {
  let at = first
  const curves = others.map(to => {
    const middle = round((at.x + to.x) / 2)
    const curve = `C${middle} ${round(at.y)} ${middle} ${round(to.y)} ${round(to.x)} ${round(to.y)}`
    at = to
    return curve
  })
  return `M${round(first.x)} ${round(first.y)}${curves.join('')}`
}

function round(length: number): number {
  return Math.round(length)
}
