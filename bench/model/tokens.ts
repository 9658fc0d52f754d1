import { decode, encode } from 'gpt-tokenizer'

/** The number of texts whose tokens are cached. System prompts and schemas come again with every request. */
const MOST_KEPT = 500
const kept = new Map<string, readonly number[]>()

/** Returns the tokens of a text (o200k). */
export function tokensOf(text: string): readonly number[] {
  const known = kept.get(text)
  if (known !== undefined) return known
  const tokens = encode(text)
  if (kept.size >= MOST_KEPT) kept.clear()
  kept.set(text, tokens)
  return tokens
}

/** Splits a text into the texts of its tokens. */
export function piecesOf(text: string): readonly string[] {
  const tokens = tokensOf(text)
  const pieces = tokens.map(token => decode([token]))
  // A character may be split across tokens. It cannot be sent in halves.
  return pieces.join('') === text ? pieces : (text.match(/.{1,4}/gsu) ?? [])
}
