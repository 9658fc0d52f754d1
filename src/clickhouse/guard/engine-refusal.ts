import { WarehouseError } from '../../warehouse/error.ts'
import { withoutInternals } from '../server-failure.ts'
import { type Rejection, rejection, shown } from './rejection.ts'

/**
 * Returns the engine's refusal of SQL as a rejection. Returns undefined if the error is not about the SQL: no connection, no rights, timeout,
 * cancelled. Only a code of the server can mean that the query takes too long to check, since a local clock also measures other load. The parsed text
 * has this form: "Syntax error (Multi-statements are not allowed): failed at position 9 (…): …".
 */
export function readEngineRefusal(error: unknown): Rejection | undefined {
  if (!(error instanceof WarehouseError)) return undefined
  if (error.kind === 'timeout' && error.serverCode === undefined) return undefined
  if (error.kind === 'resource' || error.kind === 'timeout') {
    return rejection('too_long', 'The query is too large or too deeply nested to be checked; make it simpler.')
  }
  if (!['syntax', 'query', 'type', 'unknown_name'].includes(error.kind)) return undefined
  if (/Multi-statements are not allowed/i.test(error.message)) {
    return rejection('several_statements', 'Only one statement may be run.')
  }
  return rejection('syntax', sentence(error.message))
}

/** Returns the part of a message that is about the query: without the engine's code, the guard's own statement and the list of expected tokens. */
function sentence(message: string): string {
  const text = withoutInternals(message)
    .replace(/^.*?DB::Exception:\s*/s, '')
    .replace(/(?:[.:,]|(?<!\s))\s*In scope SELECT[\s\S]*$/, '')
    .replace(/(?<!\s)\s*Expected one of:[\s\S]*$/, '')
    .replace(/(?<!\s)\s*\([A-Z_]+\)\s*(?:\(version [^)]*\)\s*)?$/, '')
    .replace(/[\s\p{C}]+/gu, ' ')
    .replace(/(?<![.:\s])[.:\s]+$/, '')
  const position = /^Syntax error: failed at position (\d+) \((.*?)\)(?::|$)/.exec(text)
  if (position !== null) return `Syntax error at position ${position[1]}, near ${shown(position[2] ?? '')}.`
  const reason = text.replace(/: Syntax error: failed at position .*/, '')
  return `${reason.length <= 300 ? reason : `${reason.slice(0, 299)}…`}.`
}
