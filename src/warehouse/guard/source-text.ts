import { SIZES } from '../../base/sizes.ts'
import { type Rejection, rejection } from './rejection.ts'

/**
 * Matches invisible or misleading characters: control characters except tab and line ends, format characters (Unicode Cf) such as
 * zero-width and bidirectional ones, and unpaired surrogates. Without them, a person sees exactly what the engine parses.
 */
const HIDDEN = /[^\P{C}\t\n\r]/u
/**
 * Matches the characters that are forbidden even in a literal: control characters, unpaired surrogates, and marks that reverse
 * the text after them. Other hidden characters belong to ordinary text: Persian uses U+200C, and 👩‍🚀 contains U+200D.
 */
const HIDDEN_IN_LITERAL = /[^\P{Cc}\t\n\r]|[\p{Cs}\u202A-\u202E\u2066-\u2069]/u

/** Rejects SQL that is too long for a parser. */
export function findLengthFault(sql: string): Rejection | undefined {
  const bytes = Buffer.byteLength(sql)
  if (bytes <= SIZES.sqlBytes) return undefined
  return rejection(
    'too_long',
    `The query has ${bytes} bytes and at most ${SIZES.sqlBytes} are allowed; join or filter by a table instead of long lists of values.`,
  )
}

/**
 * Rejects SQL with characters that a person does not see.
 * @param literals the texts in single quotes
 * @param others all other parts of the SQL
 */
export function findHiddenCharacter(others: readonly string[], literals: readonly string[]): Rejection | undefined {
  const found = [...others.map(text => HIDDEN.exec(text)), ...literals.map(text => HIDDEN_IN_LITERAL.exec(text))]
  const [hidden] = found.find(each => each !== null) ?? []
  if (hidden === undefined) return undefined
  const code = (hidden.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
  return rejection(
    'forbidden_character',
    `The query contains the invisible character U+${code} where it may not stand; write it without, or within a text in single quotes.`,
  )
}
