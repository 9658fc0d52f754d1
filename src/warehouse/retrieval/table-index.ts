/**
 * An inverted index from words to families of near-duplicate tables. It consists of typed arrays, so that one thread transfers it to another without
 * copying. The entries of item i are at the indexes from `…Starts[i]` to `…Starts[i + 1]`.
 */
export interface TableIndex {
  /** The stems. The number of a stem is its index in this list. */
  readonly vocabulary: readonly string[]
  /** For each stem: the families that have it, and the BM25 weight of the stem in each. */
  readonly postingStarts: Uint32Array
  readonly postingFamilies: Uint32Array
  readonly postingWeights: Float32Array
  /** For each family: the indexes of its tables. The one that is most likely maintained comes first. */
  readonly memberStarts: Uint32Array
  readonly members: Uint32Array
  /** For each family: how likely any question is about it. */
  readonly priors: Float32Array
  /** For each family: the number of the database of its first table. */
  readonly familyDatabases: Uint32Array
  /** For each family: the families that it joins. */
  readonly linkStarts: Uint32Array
  readonly linkedFamilies: Uint32Array
  readonly linkWeights: Float32Array
  /** For each table: the words that distinguish the table from other tables of the family, as `|tmp|2021|`. */
  readonly variants: readonly string[]
  /** For each table: `database.table`. */
  readonly names: readonly string[]
}

/** Returns the buffers of an index, for the transfer to another thread. */
export function buffersOf(index: TableIndex): ArrayBuffer[] {
  return Object.values(index).flatMap(value => (ArrayBuffer.isView(value) ? [value.buffer as ArrayBuffer] : []))
}
