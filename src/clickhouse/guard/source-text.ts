import { type Rejection, rejection } from '../../warehouse/guard/rejection.ts'
import { findHiddenCharacter, findLengthFault } from '../../warehouse/guard/source-text.ts'
import { GUARD_LIMITS } from '../limits.ts'
import { nestedBetweens, withoutLiterals } from './plain-text.ts'

/** Layer 1 of the guard: checks the original text before a parser gets it. */
export function findTextFault(sql: string): Rejection | undefined {
  return findLengthFault(sql) ?? findHidden(sql) ?? findExpansion(sql)
}

function findHidden(sql: string): Rejection | undefined {
  const { rest, literals } = withoutLiterals(sql) ?? { rest: sql, literals: [] }
  return findHiddenCharacter([rest], literals)
}

/**
 * Finds nested BETWEEN. The engine prints the x of `x BETWEEN a AND b` twice, so each BETWEEN inside x doubles the text. The
 * engine's own limits do not prevent this: 23 levels took 13 s.
 */
function findExpansion(sql: string): Rejection | undefined {
  const betweens = nestedBetweens(sql)
  if (Buffer.byteLength(sql) * 2 ** betweens <= GUARD_LIMITS.maxWrittenOutBytes) return undefined
  return rejection(
    'too_long',
    `The query has BETWEEN within BETWEEN, or behind what is not a column, ${betweens} times, which is too many for its length; write >= and <= instead.`,
  )
}
