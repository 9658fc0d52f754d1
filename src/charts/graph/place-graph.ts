import { Graph, layout } from '@dagrejs/dagre'
import { plainText } from '../plain-text.ts'
import type { Point } from './fold-graph.ts'
import { labelLines } from './label-lines.ts'
import type { Link } from './rank-graph.ts'
import { stackColumns } from './stack-columns.ts'

/** A graph for a page that can be zoomed. Lengths are in pixels, from the top left corner. */
export interface PlacedGraph {
  readonly width: number
  readonly height: number
  /** The top left corner of each box, its size, and its label in lines. */
  readonly boxes: readonly (Point & { readonly width: number; readonly height: number; readonly lines: readonly string[] })[]
  /** The line of each link, as the `d` of an SVG path. */
  readonly paths: readonly string[]
}

export interface UnplacedGraph {
  readonly labels: readonly string[]
  /** Each pair of boxes occurs once. */
  readonly links: readonly Link[]
}

const BOX_WIDTH = 172
const TEXT_SIZE = 16
const LINE_HEIGHT = 20
const FRAME = 44
/** Above a box there is room for a tag. */
const TAG = 18
const GAPS = { ranksep: 52, nodesep: 10, edgesep: 10 } as const

/**
 * Arranges labelled boxes from left to right. In contrast to `layOutGraph`, the graph may be as wide as it likes, and 500 boxes
 * take about half a second.
 */
export function placeGraph({ labels, links }: UnplacedGraph): PlacedGraph {
  const graph = new Graph()
  // `tight-tree` is four times as fast as the default for 500 boxes, and the columns look the same.
  graph.setGraph({ rankdir: 'LR', ranker: 'tight-tree', ...GAPS })
  const sizes = labels.map(label => {
    const lines = labelLines(plainText(label), TEXT_SIZE, BOX_WIDTH - 20)
    return { lines, width: BOX_WIDTH, height: lines.length * LINE_HEIGHT + FRAME }
  })
  for (const [index, { width, height }] of sizes.entries()) graph.setNode(String(index), { width, height: height + TAG })
  for (const { from, to } of links) if (from !== to) graph.setEdge(String(from), String(to), { width: 0, height: 0 })
  layout(graph)
  // Dagre leaves much room, so that lines are straight. The stops of all lines are moved closer together, as boxes without height.
  const stops: { x: number; y: number; height: number; neighbours: number[] }[] = sizes.map(({ height }, index) => {
    const { x, y } = graph.node(String(index)) as Point
    return { x, y, height: height + TAG, neighbours: [] }
  })
  const ways = links.map(({ from, to }) => {
    if (from === to) return []
    const { points } = graph.edge(String(from), String(to)) as { readonly points: readonly Point[] }
    const between = points.slice(1, -1).map(({ x, y }) => stops.push({ x, y, height: 0, neighbours: [] }) - 1)
    const way = [from, ...between, to]
    for (const [at, stop] of way.slice(1).entries()) {
      stops[stop]?.neighbours.push(way[at] ?? stop)
      stops[way[at] ?? stop]?.neighbours.push(stop)
    }
    return way
  })
  const middles = stackColumns(
    stops.map(({ x, ...stop }) => ({ ...stop, column: Math.round(x) })),
    GAPS.nodesep,
  )
  const top = Math.min(...sizes.map(({ height }, index) => (middles[index] ?? 0) - height / 2))
  const at = (stop: number, side = 0): Point => ({
    x: Math.round((stops[stop]?.x ?? 0) + side),
    y: Math.round((middles[stop] ?? 0) - top),
  })
  const boxes = sizes.map((size, index) => ({ x: at(index, -BOX_WIDTH / 2).x, y: at(index).y - size.height / 2, ...size }))
  return {
    width: Math.max(...boxes.map(({ x }) => x + BOX_WIDTH)),
    height: Math.max(...boxes.map(({ y, height }) => y + height)),
    boxes,
    paths: ways.map(([first = 0, ...others]) => {
      const points = others.map((stop, index) => at(stop, index === others.length - 1 ? -BOX_WIDTH / 2 : 0))
      return points.length === 0 ? '' : pathThrough(at(first, BOX_WIDTH / 2), points)
    }),
  }
}

/** Draws a smooth line that is level at each of its points. */
function pathThrough(start: Point, points: readonly Point[]): string {
  const curves = points.map(({ x, y }, index) => {
    const before = points[index - 1] ?? start
    const middle = Math.round((before.x + x) / 2)
    return `C${middle} ${before.y} ${middle} ${y} ${x} ${y}`
  })
  return `M${start.x} ${start.y}${curves.join('')}`
}
