import { SIZES } from '../../base/sizes.ts'
import { type Rejection, rejection } from '../../warehouse/guard/rejection.ts'
import { GUARD_LIMITS } from '../limits.ts'
import { nestedBetweens, withoutLiterals } from './plain-text.ts'

/**
 * Matches invisible or misleading characters: control characters except tab and line ends, format characters (Unicode Cf) such as
 * zero-width and bidirectional ones, and unpaired surrogates. Without them, a person sees exactly what the engine parses.
 */
const HIDDEN = /[^\P{C}\t\n\r]/u
/**
 * Matches the characters that are forbidden even in a literal: control characters, unpaired surrogates, and marks that reverse
 * the text after them. Other hidden characters belong to ordinary text: Persian uses U+200C, and 👩‍🚀 contains U+200D.
 */
const HIDDEN_IN_LITERAL = /[\p{Cc}\p{Cs}\u202A-\u202E\u2066-\u2069]/u

/** Layer 1 of the guard: checks the original text before a parser gets it. */
export function findTextFault(sql: string): Rejection | undefined {
  const bytes = Buffer.byteLength(sql)
  if (bytes > SIZES.sqlBytes) {
    return rejection(
      'too_long',
      `The query has ${bytes} bytes and at most ${SIZES.sqlBytes} are allowed; join or filter by a table instead of long lists of values.`,
    )
  }
  const hidden = findHidden(sql)
  if (hidden === undefined) return findExpansion(sql, bytes)
  const code = (hidden.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
  return rejection(
    'forbidden_character',
    `The query contains the invisible character U+${code} where it may not stand; write it without, or within a text in single quotes.`,
  )
}

function findHidden(sql: string): string | undefined {
  const split = withoutLiterals(sql)
  if (split === undefined) return HIDDEN.exec(sql)?.[0]
  const inLiteral = split.literals.map(literal => HIDDEN_IN_LITERAL.exec(literal.replace(/[\t\n\r]/g, ' '))?.[0])
  return HIDDEN.exec(split.rest)?.[0] ?? inLiteral.find(found => found !== undefined)
}

/**
 * Finds nested BETWEEN. The engine prints the x of `x BETWEEN a AND b` twice, so each BETWEEN inside x doubles the text. The
 * engine's own limits do not prevent this: 23 levels took 13 s.
 */
function findExpansion(sql: string, bytes: number): Rejection | undefined {
  const betweens = nestedBetweens(sql)
  if (bytes * 2 ** betweens <= GUARD_LIMITS.maxWrittenOutBytes) return undefined
  return rejection(
    'too_long',
    `The query has BETWEEN within BETWEEN, or behind what is not a column, ${betweens} times, which is too many for its length; write >= and <= instead.`,
  )
}
