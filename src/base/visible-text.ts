/** Invisible characters: controls, format characters (bidirectional, zero-width, tags) and others. They can hide, split or reverse text. */
const HIDDEN = /(?!\ufe0f|[\n\t\u200c\u200d])[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu
/** Emoji and some scripts need joiners and the emoji selector: one at a time, between non-ASCII characters. */
const JOINERS =
  /((?<!^|\ufe0f|[\0-\x7f\u200c\u200d])(?:\ufe0f?[\u200c\u200d](?!$|\ufe0f|[\0-\x7f\u200c\u200d])|\ufe0f))|\ufe0f|[\u200c\u200d]/gu

/** A fast test, since most text has nothing unusual. */
const UNUSUAL = /[^\n\t -~]/

/** Removes everything invisible from a text. Line ends become `\n`, unpaired surrogates U+FFFD, and tabs stay. The function is idempotent. */
export function visibleText(text: string): string {
  if (!UNUSUAL.test(text)) return text
  return text
    .replace(/\p{Surrogate}/gu, '\ufffd')
    .replace(/\r\n?|[\v\f\u0085\u2028\u2029]/g, '\n')
    .replace(HIDDEN, '')
    .replace(JOINERS, (_, kept: string | undefined) => kept ?? '')
}
