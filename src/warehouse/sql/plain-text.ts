/**
 * Matches line separators and invisible characters: controls, format characters (bidirectional, zero-width) and unpaired
 * surrogates.
 */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}\u2028\u2029]/gu

/**
 * Makes text from the database fit on one line of a prompt. Each run of white space becomes one space, invisible characters are
 * removed, and long text is cut. Backticks become apostrophes, because they could close a code block.
 */
export function onOneLine(text: string, maxCharacters: number): string {
  const line = text.replace(/\s+/g, ' ').replace(INVISIBLE, '').replaceAll('`', "'").trim()
  return cutCharacters(line, maxCharacters)
}

/**
 * Writes a value as a ClickHouse string literal on one line. Invisible characters are escaped, and ClickHouse reads the original
 * value.
 */
export function sqlLiteral(value: string): string {
  const escaped = value.replace(/[\\']/g, '\\$&').replaceAll('\n', '\\n').replaceAll('\r', '\\r').replaceAll('\t', '\\t')
  return `'${escaped.replace(INVISIBLE, escapeBytes).replaceAll('`', '\\x60')}'`
}

/** Writes a name for SQL. Adds quotes and escapes only if SQL needs them. */
export function sqlName(name: string): string {
  if (/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) return name
  const escaped = name.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n').replaceAll('\r', '\\r').replaceAll('\t', '\\t')
  return `"${escaped.replace(INVISIBLE, escapeBytes).replaceAll('`', '\\x60')}"`
}

/** Like `sqlName`, for a column. A nested column such as `a.b` stays without quotes. */
export function sqlColumnName(name: string): string {
  return /^[A-Za-z_]\w*(\.[A-Za-z_]\w*)+$/.test(name) ? name : sqlName(name)
}

/**
 * Cuts a text to at most this many characters and adds "…". Never cuts through an emoji or another character of two code units.
 */
export function cutCharacters(text: string, maxCharacters: number): string {
  if (text.length <= maxCharacters) return text
  // The text may have megabytes, so only its beginning is split into characters.
  const characters = [...text.slice(0, 2 * maxCharacters)]
  return text.length <= 2 * maxCharacters && characters.length <= maxCharacters
    ? text
    : `${characters.slice(0, maxCharacters - 1).join('')}…`
}

function escapeBytes(character: string): string {
  return [...Buffer.from(character)].map(byte => `\\x${byte.toString(16).padStart(2, '0')}`).join('')
}
