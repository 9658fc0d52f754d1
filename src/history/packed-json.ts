import { packText, unpackText } from '../base/text/packed-text.ts'
import { HISTORY_LIMITS } from './limits.ts'

/**
 * Objects and lists are written element by element down to this depth. Deeper values, such as a row of a result, are small and
 * written whole.
 */
const DEPTH = 2

/**
 * Compresses the JSON of a large value.
 * @returns base64; undefined if the JSON is larger than a record may be
 */
export async function packJson(value: unknown): Promise<string | undefined> {
  return packText(pieces(value))
}

/**
 * Decompresses a value.
 * @throws if `packJson` did not write it
 */
export async function unpackJson(packed: string): Promise<unknown> {
  return JSON.parse((await unpackText(packed)).toString('utf8'))
}

function* pieces(value: unknown): Generator<string, void> {
  let text = ''
  for (const part of parts(value, DEPTH)) {
    text += part
    if (text.length < HISTORY_LIMITS.packedPieceCharacters) continue
    yield text
    text = ''
  }
  yield text
}

/** Yields the text that `JSON.stringify` would return, in small pieces. */
function* parts(value: unknown, depth: number): Generator<string, void> {
  if (depth === 0 || typeof value !== 'object' || value === null) {
    yield JSON.stringify(value) ?? 'null'
    return
  }
  const isList = Array.isArray(value)
  let before = isList ? '[' : '{'
  for (const [key, part] of Object.entries(value)) {
    if (part === undefined && !isList) continue
    yield isList ? before : `${before}${JSON.stringify(key)}:`
    yield* parts(part, depth - 1)
    before = ','
  }
  if (before !== ',') yield before
  yield isList ? ']' : '}'
}
