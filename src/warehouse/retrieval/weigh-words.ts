/** The BM25 parameter k1. With a low value, further matches of the same word add little. */
const SATURATION = 1.4

/** How much a field's words weigh. The longer a field is, the less each of its words weighs; `lengthPart` says by how much. */
interface FieldWeight {
  readonly weight: number
  readonly lengthPart: number
}

/**
 * Computes the BM25 weight of each word in each document. Yields after each field of a document and each word, so that `inSlices` can pause the
 * work.
 * @param documents the stems of each field of each document
 * @returns for each stem, its weight by the position of the document
 */
export function* weighWords<Field extends string>(
  documents: readonly Readonly<Record<Field, readonly string[]>>[],
  fields: Readonly<Record<Field, FieldWeight>>,
): Generator<void, ReadonlyMap<string, ReadonlyMap<number, number>>> {
  const counted = new Map<string, Map<number, number>>()
  for (const [field, { weight, lengthPart }] of Object.entries(fields) as [Field, FieldWeight][]) {
    const length = documents.reduce((sum, document) => sum + document[field].length, 0) / Math.max(1, documents.length)
    for (const [at, document] of documents.entries()) {
      const words = document[field]
      const worth = weight / (1 - lengthPart + (lengthPart * words.length) / Math.max(1, length))
      // A word may occur in many columns of a table, such as `_id` or a prefix. It is counted once, or it would outweigh all
      // other words.
      for (const word of new Set(words)) {
        const ofWord = counted.get(word) ?? new Map<number, number>()
        counted.set(word, ofWord)
        ofWord.set(at, (ofWord.get(at) ?? 0) + worth)
      }
      yield
    }
  }
  for (const ofWord of counted.values()) {
    const rarity = Math.log(1 + (documents.length - ofWord.size + 0.5) / (ofWord.size + 0.5))
    for (const [at, worth] of ofWord) ofWord.set(at, (rarity * worth * (1 + SATURATION)) / (worth + SATURATION))
    yield
  }
  return counted
}
