import pg from 'pg'
import { errorCode, errorMessage } from '../base/errors.ts'
import { WarehouseError } from '../warehouse/error.ts'
import { cutCharacters } from '../warehouse/sql/plain-text.ts'
import { POSTGRES_LIMITS } from './limits.ts'
import { kindOfSqlState, LOCK_NOT_AVAILABLE, QUERY_CANCELED, TOO_MANY_CONNECTIONS } from './sqlstates.ts'

/** Sentences for failures whose message says nothing of the way out. The keys are SQLSTATEs, or classes of two characters. */
const SENTENCES: Readonly<Record<string, string>> = {
  '28P01':
    'The Postgres server refused the user or the password in the source’s URL. Correct them there, or set the role’s password.',
  '28': 'The Postgres server lets this role connect neither from here nor in this way. Allow it in pg_hba.conf, or ask for TLS with ?sslmode=verify-full in the source’s URL.',
  '3D000': 'The database in the source’s URL does not exist. Correct the name after the host.',
  [TOO_MANY_CONNECTIONS]:
    'The Postgres server has no free connection. Raise its max_connections, or the CONNECTION LIMIT of the role.',
  [LOCK_NOT_AVAILABLE]: 'A table of the query is locked at the moment, such as by ALTER TABLE. Ask again when that has ended.',
  '57': 'The Postgres server is starting or shutting down. Ask again when it runs.',
  XX: 'The Postgres server reports a fault of its own. Its log tells more.',
  '58': 'The Postgres server reports a fault of its system. Its log tells more.',
  HV: 'The Postgres server cannot read a foreign table. Its log tells more.',
  F0: 'The Postgres server reports a fault of its configuration. Its log tells more.',
  '23': 'A value in the query breaks a rule of its type. Leave the value or the type out.',
  '42501': 'The Postgres server does not let this role read what the query reads. Grant it, or leave it out of the source.',
}

/** Classes of SQLSTATEs whose sentences are about the query's text, its values and limits. */
const TOLD_CLASSES: ReadonlySet<string> = new Set(['08', '0A', '20', '21', '22', '25', '26', '34', '40', '42', '53', '54', '55'])
/** A function that users have made can raise an error with any text, such as values that are private. */
const REFUSED = 'The Postgres server refused the query, and its reason may hold private values. Write the query more simply.'

/**
 * Turns an error of the driver or the server into a WarehouseError. Its `cause` is the original. Leaves out the server's hints
 * and details, because they may name columns and values that are private, and whatever a user's function says.
 */
export function failureOf(error: unknown): WarehouseError {
  if (error instanceof WarehouseError) return error
  if (error instanceof pg.DatabaseError && error.code !== undefined) return failureOfState(error.code, error)
  const reason = errorCode(error) ?? errorMessage(error)
  const message = `The Postgres server cannot be reached (${reason}). Check that it runs, and the address in the source’s URL.`
  return new WarehouseError(message, { kind: 'unavailable', cause: error })
}

/** Whether the same statement may succeed at once on another connection. A lock lasts longer. */
export function isWorthRepeating(error: unknown): boolean {
  return error instanceof WarehouseError && error.kind === 'unavailable' && errorCode(error.cause) !== LOCK_NOT_AVAILABLE
}

/** Whether the server ended the statement, by its time limit or because somebody asked for it. */
export function wasEnded(error: WarehouseError): boolean {
  return errorCode(error.cause) === QUERY_CANCELED
}

function failureOfState(state: string, error: pg.DatabaseError): WarehouseError {
  // A cancellation by Clew itself is known as such by the one who asked for it. This one came from elsewhere.
  if (state === QUERY_CANCELED)
    return new WarehouseError('The query was ended by an administrator of the server.', { kind: 'cancelled', cause: error })
  const sentence = SENTENCES[state] ?? SENTENCES[state.slice(0, 2)] ?? ownSentence(state, error) ?? REFUSED
  // These classes say that the server cannot be reached through this connection, or does not run.
  const isAway = state.startsWith('08') || state.startsWith('57')
  return new WarehouseError(sentence, { kind: kindOfSqlState(state), isBusy: !isAway, cause: error })
}

/** The server's sentence, if it is about the query and the server's own code has written it. */
function ownSentence(state: string, { message, where }: pg.DatabaseError): string | undefined {
  const isOwn = where === undefined || where === 'parallel worker'
  return isOwn && TOLD_CLASSES.has(state.slice(0, 2))
    ? cutCharacters(message, POSTGRES_LIMITS.query.messageCharacters)
    : undefined
}
