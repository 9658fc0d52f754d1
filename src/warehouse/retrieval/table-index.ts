/**
 * An inverted index from words to families of near-duplicate tables. It consists of typed arrays, so that one thread can transfer it to another
 * without copying. The entries of item i are at the indexes from `…Starts[i]` to `…Starts[i + 1]`.
 */
export interface TableIndex {
  /** The stems. The number of a stem is its index in this list. */
  readonly vocabulary: readonly string[]
  /** Lists, for each stem, the families that have it, and the stem's BM25 weight in each. */
  readonly postingStarts: Uint32Array
  readonly postingFamilies: Uint32Array
  readonly postingWeights: Float32Array
  /** Lists, for each family, the indexes of its tables. The one that is most likely maintained comes first. */
  readonly memberStarts: Uint32Array
  readonly members: Uint32Array
  /** How likely any question is about each family. */
  readonly priors: Float32Array
  /** The number of the database of each family's first table. */
  readonly familyDatabases: Uint32Array
  /** Lists, for each family, the families that it joins. */
  readonly linkStarts: Uint32Array
  readonly linkedFamilies: Uint32Array
  readonly linkWeights: Float32Array
  /** The words that distinguish each table from others of its family, as `|tmp|2021|`. */
  readonly variants: readonly string[]
  /** The name of each table: `database.table`. */
  readonly names: readonly string[]
}

/** Returns the buffers of an index, for transferring them to another thread. */
export function buffersOf(index: TableIndex): ArrayBuffer[] {
  return Object.values(index).flatMap(value => (ArrayBuffer.isView(value) ? [value.buffer as ArrayBuffer] : []))
}
