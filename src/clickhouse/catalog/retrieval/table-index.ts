/**
 * The tables of a catalog by the words that stand for them: an inverted index over families of near-duplicates, in arrays of numbers, so that it is handed from one
 * thread to another without being copied. `…Starts[i]` to `…Starts[i + 1]` are the entries of i.
 */
export interface TableIndex {
  /** Stems, by their number. */
  readonly vocabulary: readonly string[]
  /** Of each stem the families that have it, and how much it says of them (BM25 over fields). */
  readonly postingStarts: Uint32Array
  readonly postingFamilies: Uint32Array
  readonly postingWeights: Float32Array
  /** Of each family its tables, as places in the list of tables, the maintained one first. */
  readonly memberStarts: Uint32Array
  readonly members: Uint32Array
  /** Of each family how likely it is asked about, whatever the question. */
  readonly priors: Float32Array
  /** Of each family a number for the database of its first table. */
  readonly familyDatabases: Uint32Array
  /** Of each family those that it is joined with. */
  readonly linkStarts: Uint32Array
  readonly linkedFamilies: Uint32Array
  readonly linkWeights: Float32Array
  /** Of each table the words that tell it from its siblings, as `|tmp|2021|`. */
  readonly variants: readonly string[]
  /** `database.table` of each table. */
  readonly names: readonly string[]
}

/** What a thread hands over instead of copying it. */
export function buffersOf(index: TableIndex): ArrayBuffer[] {
  return Object.values(index).flatMap(value => (ArrayBuffer.isView(value) ? [value.buffer as ArrayBuffer] : []))
}
