/** Controls, format characters (bidirectional, zero-width, tags) and what else shows nothing: text can be hidden in them, split or turned around by them. */
const HIDDEN = /(?!\ufe0f|[\n\t\u200c\u200d])[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu
/** Emoji and some scripts need joiners and the emoji selector: one at a time, between characters that are not ASCII. */
const JOINERS =
  /((?<!^|\ufe0f|[\0-\x7f\u200c\u200d])(?:\ufe0f?[\u200c\u200d](?!$|\ufe0f|[\0-\x7f\u200c\u200d])|\ufe0f))|\ufe0f|[\u200c\u200d]/gu

/** Most text has none of what is looked for here, which is seen at once. */
const UNUSUAL = /[^\n\t -~]/

/**
 * Text of which nothing is hidden, whoever wrote it: invisible and control characters are taken out, line ends become `\n`, broken surrogates U+FFFD. Tabs
 * stay. What it returns it returns unchanged.
 */
export function visibleText(text: string): string {
  if (!UNUSUAL.test(text)) return text
  return text
    .replace(/\p{Surrogate}/gu, '\ufffd')
    .replace(/\r\n?|[\v\f\u0085\u2028\u2029]/g, '\n')
    .replace(HIDDEN, '')
    .replace(JOINERS, (_, kept: string | undefined) => kept ?? '')
}
