// One Han, kana or Hangul character is about 0.8 tokens. In other scripts, a token is about seven letters or three digits.
const PIECES = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]+|\p{L}+|\p{N}+|[^\s\p{L}\p{N}]+/gu
const DENSE_SCRIPT = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u
const LETTERS = /^\p{L}/u
const DIGITS = /^\p{N}/u

/**
 * Estimates the number of tokens in a text, for reports of usage. On prose, SQL, JSON and tables, the estimate differs by at most
 * a quarter from OpenAI's o200k_base (a test checks this). A real tokenizer would take 38 to 52 MB, a quarter of an idle worker's
 * memory. It would be needed only for endpoints that do not report tokens.
 */
export function estimateTokens(text: string): number {
  let tokens = 0
  for (const [piece] of text.matchAll(PIECES)) {
    if (DENSE_SCRIPT.test(piece)) tokens += piece.length * 0.8
    else if (LETTERS.test(piece)) tokens += Math.ceil(piece.length / 7)
    else if (DIGITS.test(piece)) tokens += Math.ceil(piece.length / 3)
    else tokens += Math.ceil(piece.length / 2)
  }
  return Math.ceil(tokens)
}
