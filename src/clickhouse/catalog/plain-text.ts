/** Line and paragraph separators, control, format (bidirectional, zero-width) and unpaired surrogate characters, and what else shows nothing. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}\u2028\u2029]/gu

/**
 * Foreign text for one line of a prompt: white space becomes a blank, what cannot be seen is dropped, a back-tick becomes an
 * apostrophe (it could close a code block), and the rest is cut.
 */
export function onOneLine(text: string, maxCharacters: number): string {
  const line = text.replace(/\s+/g, ' ').replace(INVISIBLE, '').replaceAll('`', "'").trim()
  return cutCharacters(line, maxCharacters)
}

/** A value as a string literal of ClickHouse on one line. Escapes stand for what cannot be seen; it reads back as the same value. */
export function sqlLiteral(value: string): string {
  const escaped = value.replace(/[\\']/g, '\\$&').replaceAll('\n', '\\n').replaceAll('\r', '\\r').replaceAll('\t', '\\t')
  return `'${escaped.replace(INVISIBLE, escapeBytes).replaceAll('`', '\\x60')}'`
}

/** A name as SQL would have it: plain where it can be, quoted and escaped else. */
export function sqlName(name: string): string {
  if (/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) return name
  const escaped = name.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n').replaceAll('\r', '\\r').replaceAll('\t', '\\t')
  return `"${escaped.replace(INVISIBLE, escapeBytes).replaceAll('`', '\\x60')}"`
}

/** The same of a column: the parts of a nested one, `a.b`, need no quotes. */
export function sqlColumnName(name: string): string {
  return /^[A-Za-z_]\w*(\.[A-Za-z_]\w*)+$/.test(name) ? name : sqlName(name)
}

/** Cuts between characters, never within one, and shows that it did. */
export function cutCharacters(text: string, maxCharacters: number): string {
  if (text.length <= maxCharacters) return text
  // Of a text that may have megabytes no more is looked at than can stay.
  const characters = [...text.slice(0, 2 * maxCharacters)]
  return text.length <= 2 * maxCharacters && characters.length <= maxCharacters
    ? text
    : `${characters.slice(0, maxCharacters - 1).join('')}…`
}

function escapeBytes(character: string): string {
  return [...Buffer.from(character)].map(byte => `\\x${byte.toString(16).padStart(2, '0')}`).join('')
}
