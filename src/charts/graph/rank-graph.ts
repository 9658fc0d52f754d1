import { Graph, layout } from '@dagrejs/dagre'
import { GRAPH_STYLE } from './style.ts'

export interface Link {
  readonly from: number
  readonly to: number
}

/** A graph whose nodes are arranged in columns, from left to right. Lengths are in pixels. `y` grows downwards. */
export interface RankedGraph {
  /** The column and `y` of each node, in the order of the nodes. */
  readonly places: readonly { readonly column: number; readonly y: number }[]
  /** For each link, in the order of the links: its `y` in each column between its two nodes, from left to right. */
  readonly passages: readonly (readonly { readonly column: number; readonly y: number }[])[]
  readonly columns: number
}

const { boxWidth, stem, leastGap, rowGap, mostInColumn } = GRAPH_STYLE
/** Two nodes are in the same column if their horizontal positions differ by at most this many pixels. */
const SAME = 1

/**
 * Arranges nodes in columns with few crossings. Links lead to the right, except those that close a cycle. A column with too many
 * nodes is split into several.
 * @param heights the nodes' heights; all nodes are as wide as a column
 * @param links the links; each pair of nodes occurs once, and no link leads from a node to itself
 */
export function rankGraph(heights: readonly number[], links: readonly Link[]): RankedGraph {
  const first = laidOut(
    heights,
    links,
    links.map(() => 1),
  )
  const ranks = spreadRanks(first)
  if (ranks === undefined) return first
  // After the split, it is known how many columns each link spans. With these lengths, dagre arranges the same columns again.
  return laidOut(
    heights,
    links,
    links.map(({ from, to }) => Math.max(1, Math.abs((ranks[to] ?? 0) - (ranks[from] ?? 0)))),
  )
}

/**
 * Splits columns that have too many nodes. From top to bottom, such a column's nodes go to the new columns in turn.
 * @returns each node's column; undefined if there is nothing to split
 */
function spreadRanks({ places, columns }: RankedGraph): readonly number[] | undefined {
  const ranks: number[] = []
  let next = 0
  for (let column = 0; column < columns; column += 1) {
    const nodes = places
      .map((place, node) => ({ ...place, node }))
      .filter(place => place.column === column)
      .toSorted((one, other) => one.y - other.y)
    const parts = Math.ceil(nodes.length / mostInColumn)
    for (const [index, { node }] of nodes.entries()) ranks[node] = next + (index % parts)
    next += parts
  }
  return next === columns ? undefined : ranks
}

function laidOut(heights: readonly number[], links: readonly Link[], lengths: readonly number[]): RankedGraph {
  const graph = new Graph()
  graph.setGraph({ rankdir: 'LR', nodesep: rowGap, edgesep: rowGap, ranksep: leastGap })
  for (const [node, height] of heights.entries()) graph.setNode(String(node), { width: boxWidth + stem, height })
  for (const [index, { from, to }] of links.entries())
    graph.setEdge(String(from), String(to), { minlen: lengths[index] ?? 1, width: 0, height: 0 })
  layout(graph)

  const centers = heights.map((_, node) => graph.node(String(node)) as { readonly x: number; readonly y: number })
  const columns: number[] = []
  for (const { x } of centers.toSorted((one, other) => one.x - other.x))
    if (x - (columns.at(-1) ?? Number.NEGATIVE_INFINITY) > SAME) columns.push(x)
  const columnOf = (x: number) => columns.findIndex(center => Math.abs(center - x) <= SAME)
  const places = centers.map(({ x, y }) => ({ column: columnOf(x), y }))
  const passages = links.map(({ from, to }) => {
    const ends = [places[from]?.column ?? 0, places[to]?.column ?? 0]
    const { points } = graph.edge(String(from), String(to)) as {
      readonly points: readonly { readonly x: number; readonly y: number }[]
    }
    // Keeps one point per column only. The lines are drawn anew later, from column to column.
    return points
      .map(({ x, y }) => ({ column: columnOf(x), y }))
      .filter(({ column }) => column > Math.min(...ends) && column < Math.max(...ends))
      .toSorted((one, other) => one.column - other.column)
  })
  return { places, passages, columns: columns.length }
}
