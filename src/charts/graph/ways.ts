import type { Link, RankedGraph } from './rank-graph.ts'

/** A point of a line: its start, its end, or a column that the line passes. */
export interface Stop {
  readonly column: number
  /** The index of the band. A long graph has several bands, which are rows of columns, like lines of text. */
  readonly band: number
  readonly y: number
  /** The node at this stop. Undefined if the line only passes the column. */
  readonly node: number | undefined
}

/** A link as it is drawn. Its stops are sorted from left to right, even if the rows flow to the left. */
export interface Way {
  readonly right: number
  readonly isBack: boolean
  readonly stops: readonly Stop[]
}

/**
 * Returns the stops of each link in a graph that is arranged in bands (rows of columns). Lines to the same node share their
 * stops, so that they merge. Between two bands, a line passes beside the graph and has no stops.
 */
export function graphWays({ places, passages }: RankedGraph, links: readonly Link[], perBand: number): readonly Way[] {
  const stopAt = (column: number, y: number, node?: number): Stop => ({ column, band: Math.floor(column / perBand), y, node })
  const nodes = places.map(({ column, y }, node) => stopAt(column, y, node))
  const sharedBy = new Map<string, { readonly column: number; readonly heights: number[] }>()
  const drawn = links.map(({ from, to }, index) => {
    const isBack = (places[from]?.column ?? 0) > (places[to]?.column ?? 0)
    const [left, right] = isBack ? [to, from] : [from, to]
    const ends = [left, right].flatMap(node => nodes[node] ?? [])
    const passed = (passages[index] ?? []).filter(({ column, y }) => ends.some(({ band }) => band === stopAt(column, y).band))
    const keys = passed.map(({ column, y }) => {
      const key = `${right} ${column} ${isBack}`
      const same = sharedBy.get(key) ?? { column, heights: [] }
      sharedBy.set(key, same)
      same.heights.push(y)
      return key
    })
    return { right, isBack, ends, keys }
  })
  const shared = new Map(
    [...sharedBy].map(([key, { column, heights }]) => [
      key,
      stopAt(column, heights.reduce((sum, y) => sum + y, 0) / heights.length),
    ]),
  )
  return drawn.map(({ ends: [start, end], keys, ...way }) => ({
    ...way,
    stops: [start, ...keys.map(key => shared.get(key)), end].filter(stop => stop !== undefined),
  }))
}

/**
 * Assigns a track to each line that leads from one band (row of columns) to another. Tracks run beside the bands, and track 0 is
 * nearest to them. Lines to different nodes never share a track beside the same band.
 * @returns the track of each line, by the node at the line's right end
 */
export function graphTracks(ways: readonly Way[]): ReadonlyMap<number, number> {
  const spans = new Map<number, { readonly from: number; readonly to: number }>()
  for (const { right, stops } of ways) {
    const [from, to] = [stops[0]?.band ?? 0, stops.at(-1)?.band ?? 0]
    if (to > from) spans.set(right, { from: Math.min(from, spans.get(right)?.from ?? from), to })
  }
  const usedAfter: Set<number>[] = []
  const tracks = new Map<number, number>()
  for (const [node, { from, to }] of [...spans].toSorted(([, one], [, other]) => one.from - other.from)) {
    let track = 0
    while (usedAfter.slice(from, to).some(used => used?.has(track))) track += 1
    for (let band = from; band < to; band += 1) usedAfter[band] = (usedAfter[band] ?? new Set()).add(track)
    tracks.set(node, track)
  }
  return tracks
}
