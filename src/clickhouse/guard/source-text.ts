import { GUARD_LIMITS } from './guard-limits.ts'
import { type Rejection, rejection } from './rejection.ts'

/**
 * Characters that people do not see or that change what they see: control characters but tab and line ends, zero-width, bidirectional and
 * other format characters (Unicode Cf), halves of surrogate pairs. What a person approves must be what the engine parses.
 */
const HIDDEN = /[^\P{C}\t\n\r]/u

/** Layer 1: the text as it came, before anything parses it. */
export function findTextFault(sql: string): Rejection | undefined {
  const bytes = Buffer.byteLength(sql)
  if (bytes > GUARD_LIMITS.maxSqlBytes) {
    return rejection(
      'too_long',
      `The query has ${bytes} bytes and at most ${GUARD_LIMITS.maxSqlBytes} are allowed; join or filter by a table instead of long lists of values.`,
    )
  }
  const hidden = HIDDEN.exec(sql)
  if (hidden === null) return findExpansion(sql, bytes)
  const code = (hidden[0].codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
  return rejection('forbidden_character', `The query contains the invisible character U+${code}; write it without.`)
}

/**
 * `x BETWEEN a AND b` is printed as `(x >= a) AND (x <= b)`: nested in x, each BETWEEN doubles the text, and the engine does not stop for its
 * limits meanwhile (23 of them took 13 s). How they nest only a parser knows, so they are counted wherever they stand.
 */
function findExpansion(sql: string, bytes: number): Rejection | undefined {
  const betweens = sql.match(/between/gi)?.length ?? 0
  if (bytes * 2 ** betweens <= GUARD_LIMITS.maxWrittenOutBytes) return undefined
  return rejection(
    'too_long',
    `The query has ${betweens} times BETWEEN, which is too many for its length; write >= and <= instead.`,
  )
}
