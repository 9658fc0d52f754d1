/** Whether any of the sorted values lies between two bounds, or equals one of them. */
export function hasWithin(sorted: Float64Array, from: number, to: number): boolean {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle] ?? Number.NaN) < from) low = middle + 1
    else high = middle
  }
  return low < sorted.length && (sorted[low] ?? Number.NaN) <= to
}
