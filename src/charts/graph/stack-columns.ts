/** An item of a column: a node, or a line that passes through the column. */
export interface StackedItem {
  readonly column: number
  /** The wanted `y` of the item's middle. The items of a column are sorted by it. */
  readonly y: number
  readonly height: number
  /** The indexes of the items to which this item has a line. */
  readonly neighbours: readonly number[]
}

/** The items are moved in this many rounds. After that, their positions hardly change. */
const SWEEPS = 12
/** A column may be this many times as high as its items need, so that they have some space to move. */
const ROOM = 1.1

/**
 * Moves the items of each column closer together, and keeps their order. The given `y` positions leave much space, so that lines
 * can be straight. In a large graph few lines are straight anyway, so the space would be wasted.
 * @returns the `y` of each item's middle, in the order of the items, starting near zero
 */
export function stackColumns(items: readonly StackedItem[], gap: number): readonly number[] {
  const columns: number[][] = []
  for (const [index, { column }] of [...items.entries()].toSorted(
    ([, one], [, other]) => one.column - other.column || one.y - other.y,
  )) {
    if (items[columns.at(-1)?.at(-1) ?? -1]?.column === column) columns.at(-1)?.push(index)
    else columns.push([index])
  }
  const heightOf = (index: number) => items[index]?.height ?? 0
  const needed = Math.max(...columns.map(column => column.reduce((sum, index) => sum + heightOf(index) + gap, -gap)))
  const least = Math.min(...items.map(({ y, height }) => y - height / 2))
  const taken = Math.max(...items.map(({ y, height }) => y + height / 2)) - least
  const scale = (ROOM * needed) / taken
  const placed = items.map(({ y }) => (y - least) * Math.min(1, scale))
  if (scale >= 1) return placed
  const settle = (column: readonly number[], wantedOf: (index: number) => number) => {
    const settled = apart(column.map(wantedOf), column.map(heightOf), gap)
    for (const [place, y] of settled.entries()) placed[column[place] ?? 0] = y
  }
  const nearOf = (index: number, side: -1 | 0 | 1) =>
    (items[index]?.neighbours ?? []).filter(
      other => side === 0 || Math.sign((items[other]?.column ?? 0) - (items[index]?.column ?? 0)) === side,
    )
  const between = (index: number) => {
    const near = nearOf(index, 0)
    return near.reduce((sum, other) => sum + (placed[other] ?? 0), placed[index] ?? 0) / (near.length + 1)
  }
  for (let sweep = 0; sweep < SWEEPS; sweep += 1)
    for (const column of sweep % 2 === 0 ? columns : columns.toReversed()) settle(column, between)
  // At the end, a line is made straight if it is the only line at the right side of its left item, and the only line at the left
  // side of its right item.
  const inLine = (index: number) => {
    const [before, ...others] = nearOf(index, -1)
    const isOnly = before !== undefined && others.length === 0 && nearOf(before, 1).length === 1
    return (isOnly ? placed[before] : placed[index]) ?? 0
  }
  for (const column of columns) settle(column, inLine)
  return placed
}

/**
 * Returns the `y` positions nearest to the wanted ones at which the items do not overlap. Uses the pool-adjacent-violators
 * algorithm.
 */
function apart(wanted: readonly number[], heights: readonly number[], gap: number): readonly number[] {
  const offsets: number[] = []
  let offset = 0
  for (const [index, height] of heights.entries()) {
    offset += index === 0 ? 0 : (heights[index - 1] ?? 0) / 2 + gap + height / 2
    offsets.push(offset)
  }
  const pools: { sum: number; size: number }[] = []
  for (const [index, y] of wanted.entries()) {
    let pool = { sum: y - (offsets[index] ?? 0), size: 1 }
    for (
      let before = pools.at(-1);
      before !== undefined && before.sum / before.size > pool.sum / pool.size;
      before = pools.at(-1)
    ) {
      pool = { sum: pool.sum + before.sum, size: pool.size + before.size }
      pools.pop()
    }
    pools.push(pool)
  }
  return pools
    .flatMap(({ sum, size }) => Array.from({ length: size }, () => sum / size))
    .map((y, index) => y + (offsets[index] ?? 0))
}
