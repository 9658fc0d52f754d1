/**
 * Matches invisible characters: controls, format characters (bidirectional, zero-width, tags) and others. They can hide, split or
 * reverse text.
 */
const HIDDEN = /(?!\ufe0f|[\n\t\u200c\u200d])[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu
/**
 * Matches every zero-width joiner and emoji selector. The group captures only those to keep: a single one between two non-ASCII
 * characters, because emoji and some scripts need it.
 */
const JOINERS =
  /((?<!^|\ufe0f|[\0-\x7f\u200c\u200d])(?:\ufe0f?[\u200c\u200d](?!$|\ufe0f|[\0-\x7f\u200c\u200d])|\ufe0f))|\ufe0f|[\u200c\u200d]/gu

/** Matches any character that may need a change. Most texts have none, and need no further work. */
const UNUSUAL = /[^\n\t -~]/

/**
 * Removes everything invisible from a text, except tabs. Line ends become `\n`, and unpaired surrogates become U+FFFD.
 * Idempotent.
 */
export function visibleText(text: string): string {
  if (!UNUSUAL.test(text)) return text
  return text
    .replace(/\p{Surrogate}/gu, '\ufffd')
    .replace(/\r\n?|[\v\f\u0085\u2028\u2029]/g, '\n')
    .replace(HIDDEN, '')
    .replace(JOINERS, (_, kept: string | undefined) => kept ?? '')
}
