import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { createGzip, gunzip } from 'node:zlib'
import { HISTORY_LIMITS } from './limits.ts'

/**
 * Objects and lists are written element by element down to this depth. Deeper values, such as a row of a result, are small and
 * written whole.
 */
const DEPTH = 2

/**
 * Compresses the JSON of a large value piece by piece. Ten megabytes at once would block the event loop.
 * @returns base64; undefined if the JSON has more than `mostCharacters`
 */
export async function packJson(value: unknown, mostCharacters: number): Promise<string | undefined> {
  let characters = 0
  function* bounded(): Generator<string, void> {
    for (const piece of pieces(value)) {
      characters += piece.length
      if (characters > mostCharacters) return
      yield piece
    }
  }
  const packed: Buffer[] = await Readable.from(bounded(), { highWaterMark: 1 })
    .pipe(createGzip({ level: 1 }))
    .toArray()
  return characters > mostCharacters ? undefined : Buffer.concat(packed).toString('base64')
}

/**
 * Decompresses a value.
 * @throws if `packJson` did not write it, or if its JSON has more than `mostCharacters`
 */
export async function unpackJson(packed: string, mostCharacters: number): Promise<unknown> {
  // A character takes up to three bytes in UTF-8, so the limit in bytes is three times the limit in characters.
  const text = await promisify(gunzip)(Buffer.from(packed, 'base64'), { maxOutputLength: 3 * mostCharacters })
  return JSON.parse(text.toString('utf8'))
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
