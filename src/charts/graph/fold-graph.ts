import type { Link, RankedGraph } from './rank-graph.ts'
import { stackColumns } from './stack-columns.ts'
import { GRAPH_STYLE } from './style.ts'
import { graphTracks, graphWays, type Stop, type Way } from './ways.ts'

export interface Point {
  readonly x: number
  readonly y: number
}

/** A graph with the coordinates of its nodes and lines, measured from the top left corner of the picture. */
export interface FoldedGraph {
  /** The top left corner of each node, in the order of the nodes. */
  readonly boxes: readonly (Point & { readonly band: number })[]
  /**
   * The line of each link, from start to end. Between two points with the same `x` or the same `y`, it is straight. Otherwise it
   * is a curve.
   */
  readonly routes: readonly { readonly points: readonly Point[]; readonly isBack: boolean }[]
  readonly width: number
  readonly height: number
}

const { boxWidth, stem, leastGap, mostGap, rowGap, bandGap, trackStart, trackGap, backOffset, thumbnail } = GRAPH_STYLE
const COLUMN = boxWidth + stem

/**
 * Arranges the columns of a graph in bands, like lines of text on a page. Uses several bands if one band would be too wide to
 * read in a chat message.
 */
export function foldGraph(ranked: RankedGraph, heights: readonly number[], links: readonly Link[]): FoldedGraph {
  let best = inBands(ranked, heights, links, ranked.columns)
  for (let bands = 2; bands <= ranked.columns && sizeShown(best) < thumbnail.scale; bands += 1) {
    const folded = inBands(ranked, heights, links, Math.ceil(ranked.columns / bands))
    if (sizeShown(folded) > sizeShown(best)) best = folded
  }
  return best
}

/** Returns the scale at which a chat message shows the graph, such as 0.5 for half its size. */
function sizeShown({ width, height }: FoldedGraph): number {
  return Math.min(thumbnail.width / width, thumbnail.height / height)
}

function inBands(ranked: RankedGraph, heights: readonly number[], links: readonly Link[], perBand: number): FoldedGraph {
  const ways = graphWays(ranked, links, perBand)
  const tracks = graphTracks(ways)
  const aside = (node: number) => trackStart + (tracks.get(node) ?? 0) * trackGap
  const gutter = tracks.size === 0 ? 0 : Math.max(...[...tracks.keys()].map(aside)) + trackGap
  const nodes = ranked.places.map(({ column, y }, node): Stop => ({ column, band: Math.floor(column / perBand), y, node }))
  const { yOf, ends } = stackBands(nodes, ways, heights, aside)

  const pitch = COLUMN + gapOf(ways, ranked.columns)
  const leftOf = ({ column }: Stop) => gutter + (column % perBand) * pitch
  const right = gutter + (perBand - 1) * pitch + COLUMN
  const routes = ways.map(({ right: end, isBack, stops }) => {
    const points: Point[] = []
    for (const [index, stop] of stops.entries()) {
      const before = stops[index - 1]
      const [x, y] = [leftOf(stop), yOf(stop)]
      if (before !== undefined && before.band !== stop.band) {
        const outside = { left: gutter - aside(end), right: right + aside(end) }
        const between = (ends[before.band] ?? 0) + aside(end)
        points.push({ x: outside.right, y: yOf(before) }, { x: outside.right, y: between })
        points.push({ x: outside.left, y: between }, { x: outside.left, y })
      }
      // A backward line ends lower at its nodes than a forward line, so that the two do not overlap.
      const below = isBack && stop.node !== undefined ? backOffset : 0
      if (index > 0) points.push({ x, y: y + below })
      if (index < stops.length - 1) points.push({ x: x + COLUMN, y })
    }
    return { points: isBack ? points.toReversed() : points, isBack }
  })
  return {
    boxes: nodes.map((stop, node) => ({ x: leftOf(stop), y: yOf(stop) - (heights[node] ?? 0) / 2, band: stop.band })),
    routes,
    width: gutter === 0 ? right - stem : right + gutter,
    height: ends.at(-1) ?? 0,
  }
}

/** Returns the width of the gap between two columns. Lines go up or down in the gap, so many lines need a wider gap. */
function gapOf(ways: readonly Way[], columns: number): number {
  const crossing = Array.from({ length: columns }, () => 0)
  for (const { stops } of ways) for (const { column } of stops.slice(0, -1)) crossing[column] = (crossing[column] ?? 0) + 1
  return Math.min(mostGap, leastGap + 2 * Math.max(0, ...crossing))
}

/** Computes the `y` of each stop (a line's point at a column), and the `y` of the lower edge of each band (a row of columns). */
function stackBands(
  nodes: readonly Stop[],
  ways: readonly Way[],
  heights: readonly number[],
  aside: (node: number) => number,
): { readonly yOf: (stop: Stop) => number; readonly ends: readonly number[] } {
  // The end of a line and its node are two stops at the same place. Both get the node's stop as key, so that they are placed only
  // once.
  const keyOf = (stop: Stop) => (stop.node === undefined ? stop : (nodes[stop.node] ?? stop))
  const all = [...new Set([...nodes, ...ways.flatMap(({ stops }) => stops.map(keyOf))])]
  const found = new Map<Stop, number>()
  const ends: number[] = []
  for (let band = 0; band <= Math.max(...nodes.map(node => node.band)); band += 1) {
    const stops = all.filter(stop => stop.band === band)
    const heightsHere = stops.map(({ node }) => (node === undefined ? 0 : (heights[node] ?? 0)))
    const neighbours = neighboursOf(stops, ways, keyOf)
    const items = stops.map((stop, index) => ({ ...stop, height: heightsHere[index] ?? 0, neighbours: neighbours[index] ?? [] }))
    const placed = stackColumns(items, rowGap)
    const least = Math.min(...placed.map((y, index) => y - (heightsHere[index] ?? 0) / 2))
    const last = Math.max(...placed.map((y, index) => y + (heightsHere[index] ?? 0) / 2))
    const above = band === 0 ? 0 : (ends[band - 1] ?? 0) + bandGap + roomAfter(band - 1, ways, aside)
    for (const [index, stop] of stops.entries()) found.set(stop, above - least + (placed[index] ?? 0))
    ends.push(above + last - least)
  }
  return { yOf: stop => found.get(keyOf(stop)) ?? 0, ends }
}

function neighboursOf(stops: readonly Stop[], ways: readonly Way[], keyOf: (stop: Stop) => Stop): readonly (readonly number[])[] {
  const index = new Map(stops.map((stop, place) => [stop, place]))
  const neighbours = stops.map((): number[] => [])
  for (const way of ways) {
    const places = way.stops.map(stop => index.get(keyOf(stop)))
    for (const [place, one] of places.entries()) {
      const other = places[place + 1]
      if (one === undefined || other === undefined) continue
      neighbours[one]?.push(other)
      neighbours[other]?.push(one)
    }
  }
  return neighbours
}

/** Returns the height of the free space below a band. Lines that leave the band at its right end need this space. */
function roomAfter(band: number, ways: readonly Way[], aside: (node: number) => number): number {
  const leaving = ways.filter(({ stops }) =>
    stops.some((stop, index) => stop.band === band && (stops[index + 1]?.band ?? band) > band),
  )
  return Math.max(0, ...leaving.map(({ right }) => aside(right)))
}
