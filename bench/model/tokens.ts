import { decode, encode } from 'gpt-tokenizer'

/** Texts that are kept: system prompts and schemas come again with every request. */
const MOST_KEPT = 500
const kept = new Map<string, readonly number[]>()

/** The tokens of a text (o200k). */
export function tokensOf(text: string): readonly number[] {
  const known = kept.get(text)
  if (known !== undefined) return known
  const tokens = encode(text)
  if (kept.size >= MOST_KEPT) kept.clear()
  kept.set(text, tokens)
  return tokens
}

/** The text token by token; together they are the text. */
export function piecesOf(text: string): readonly string[] {
  const tokens = tokensOf(text)
  const pieces = tokens.map(token => decode([token]))
  // A character that is cut in two by its tokens cannot be sent by halves.
  return pieces.join('') === text ? pieces : (text.match(/.{1,4}/gsu) ?? [])
}
