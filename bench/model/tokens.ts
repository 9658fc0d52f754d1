import { decode, encode } from 'gpt-tokenizer'

/** The tokens of at most this many texts are cached. System prompts and schemas occur in many requests. */
const MOST_KEPT = 500
const kept = new Map<string, readonly number[]>()

/** Splits a text into the tokens of the encoding o200k. Returns their numbers. */
export function tokensOf(text: string): readonly number[] {
  const known = kept.get(text)
  if (known !== undefined) return known
  const tokens = encode(text)
  if (kept.size >= MOST_KEPT) kept.clear()
  kept.set(text, tokens)
  return tokens
}

/** Splits a text into its tokens. Returns the text of each. */
export function piecesOf(text: string): readonly string[] {
  const tokens = tokensOf(text)
  const pieces = tokens.map(token => decode([token]))
  // A character may be split between two tokens, and half a character cannot be sent. Such a text is split into four characters each instead.
  return pieces.join('') === text ? pieces : (text.match(/.{1,4}/gsu) ?? [])
}
