/**
 * An inverted index from words to families of near-duplicate tables. It consists of number arrays, so that threads hand it over without copying.
 * Entries of i are at `…Starts[i]` to `…Starts[i + 1]`.
 */
export interface TableIndex {
  /** Stems by number. */
  readonly vocabulary: readonly string[]
  /** Per stem, its families and its BM25 weight in each. */
  readonly postingStarts: Uint32Array
  readonly postingFamilies: Uint32Array
  readonly postingWeights: Float32Array
  /** Per family, its tables as indexes, the most likely maintained one first. */
  readonly memberStarts: Uint32Array
  readonly members: Uint32Array
  /** Per family, how likely any question is about it. */
  readonly priors: Float32Array
  /** Per family, the number of its first table's database. */
  readonly familyDatabases: Uint32Array
  /** Per family, the families that it joins. */
  readonly linkStarts: Uint32Array
  readonly linkedFamilies: Uint32Array
  readonly linkWeights: Float32Array
  /** Per table, the words that distinguish it from its siblings, as `|tmp|2021|`. */
  readonly variants: readonly string[]
  /** Per table, `database.table`. */
  readonly names: readonly string[]
}

/** Returns the buffers to transfer between threads. */
export function buffersOf(index: TableIndex): ArrayBuffer[] {
  return Object.values(index).flatMap(value => (ArrayBuffer.isView(value) ? [value.buffer as ArrayBuffer] : []))
}
