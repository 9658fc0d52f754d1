/**
 * An inverted index from words to families (tables with their copies). It consists of typed arrays, because these can move to
 * another thread without being copied. Lists of different lengths are stored one after another: the list of item i is at the
 * positions from `…Starts[i]` to `…Starts[i + 1]`.
 */
export interface TableIndex {
  /** The stems of all words. Elsewhere, the index refers to a stem by its position in this list. */
  readonly vocabulary: readonly string[]
  /** For each stem: the families (tables with their copies) that contain it, and its BM25 weight in each of them. */
  readonly postingStarts: Uint32Array
  readonly postingFamilies: Uint32Array
  readonly postingWeights: Float32Array
  /**
   * For each family (a table with its copies): the positions of its tables in `names`. The one most likely kept up to date comes
   * first.
   */
  readonly memberStarts: Uint32Array
  readonly members: Uint32Array
  /** For each family (a table with its copies): how likely questions are about it, whatever their words. */
  readonly priors: Float32Array
  /** For each family (a table with its copies): the number of the database that contains its first table. */
  readonly familyDatabases: Uint32Array
  /** For each family (a table with its copies): the families to which it can be joined. */
  readonly linkStarts: Uint32Array
  readonly linkedFamilies: Uint32Array
  readonly linkWeights: Float32Array
  /** For each table: the words that distinguish it from its copies, as `|tmp|2021|`. */
  readonly variants: readonly string[]
  /** The full name of each table: `database.table`. */
  readonly names: readonly string[]
}

/** Returns the memory buffers of an index. With them, the index moves to another thread without a copy. */
export function buffersOf(index: TableIndex): ArrayBuffer[] {
  return Object.values(index).flatMap(value => (ArrayBuffer.isView(value) ? [value.buffer as ArrayBuffer] : []))
}
