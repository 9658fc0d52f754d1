import { errorCode, errorMessage } from '../base/errors.ts'
import { SIZES } from '../base/sizes.ts'
import { WarehouseError, type WarehouseErrorKind } from '../warehouse/error.ts'
import { STARTED_ANEW } from './engine/failure.ts'
import { SERVER_LIMITS } from './limits.ts'
import { kindOfServerCode, SERVER_CODES } from './server-codes.ts'

/** Only this file parses ClickHouse's error messages and the error codes of Node's sockets. */

const { MEMORY_LIMIT_EXCEEDED } = SERVER_CODES.resource
const { TOO_MANY_SIMULTANEOUS_QUERIES } = SERVER_CODES.unavailable
/** HTTP statuses with which a proxy answers if it cannot reach the server. */
const AWAY_STATUS: readonly number[] = [429, 502, 503, 504]

/** Node's error codes for a connection that could not be opened. The server has then received nothing. */
const NOT_CONNECTED: readonly string[] = [
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ETIMEDOUT',
  'ENOENT',
]
/** Node's error codes for a connection that broke: the server closed an idle socket, or died. */
const CONNECTION_LOST: readonly string[] = ['ECONNRESET', 'EPIPE', 'ERR_STREAM_PREMATURE_CLOSE']

/**
 * Turns an error answer of ClickHouse into a WarehouseError. The answer looks like `Code: 60. DB::Exception: … (UNKNOWN_TABLE)
 * (version …)`.
 */
export function failureOfAnswer(answer: {
  readonly status: number
  readonly code: string | undefined
  readonly text: string
  readonly queryId: string
}): WarehouseError {
  const { queryId } = answer
  const text = answer.text.slice(0, SIZES.engineMessage)
  const serverCode = Number(answer.code ?? codeInText(text))
  if (Number.isInteger(serverCode) && serverCode > 0) {
    return serverError(serverCode, text, queryId)
  }
  if (answer.status === 401 || answer.status === 403) {
    return new WarehouseError(`The ClickHouse server refused the credentials (HTTP status ${answer.status})`, {
      kind: 'authentication',
      queryId,
    })
  }
  const kind = AWAY_STATUS.includes(answer.status) ? 'unavailable' : 'query'
  return new WarehouseError(`The ClickHouse server answered with HTTP status ${answer.status} and no error code`, {
    kind,
    queryId,
    isBusy: answer.status === 429,
  })
}

/**
 * Returns the failure for a result that broke off after its first bytes. `told` is the exception's text, or undefined if there is
 * none.
 */
export function failureInStream(told: string | undefined, queryId: string): WarehouseError {
  const text = told?.slice(0, SIZES.engineMessage)
  const code = text === undefined ? undefined : codeInText(text)
  if (text === undefined || code === undefined) {
    return new WarehouseError('The result broke off before its end', { kind: 'unavailable', queryId })
  }
  return serverError(Number(code), text, queryId)
}

/** Turns an error of the socket or of the HTTP client into a WarehouseError. */
export function failureOfConnection(error: unknown, queryId: string): WarehouseError {
  if (error instanceof WarehouseError) return error
  const code = errorCode(error)
  const message = `The ClickHouse server cannot be reached (${code ?? errorMessage(error)})`
  return new WarehouseError(message, { kind: 'unavailable', queryId, cause: error })
}

/** Whether the server has certainly not begun the statement. Then even a write can be sent again. */
export function neverStarted(error: WarehouseError): boolean {
  return error.serverCode === TOO_MANY_SIMULTANEOUS_QUERIES || NOT_CONNECTED.includes(errorCode(error.cause) ?? '')
}

/** Whether the answer came from a broken embedded engine that is about to stop. The next attempt then reaches a new engine. */
export function isStartedAnew(error: WarehouseError): boolean {
  return error.serverCode === TOO_MANY_SIMULTANEOUS_QUERIES && error.message === STARTED_ANEW
}

/** Whether the memory that all queries of the server share was used up. */
export function serverWasFull(error: WarehouseError): boolean {
  return error.kind === 'unavailable' && error.serverCode === MEMORY_LIMIT_EXCEEDED
}

/** Whether the connection broke during the query. Then a read can be sent once more. */
export function connectionLost(error: WarehouseError): boolean {
  return CONNECTION_LOST.includes(errorCode(error.cause) ?? '')
}

/** Sentences for people about limits that a query has reached, each with its error codes. */
const LIMIT_SENTENCES: readonly (readonly [readonly number[], string])[] = [
  [[159, 160, 209], 'The query took longer than the warehouse allows.'],
  [[158, 307], 'The query would read more than one query may.'],
  [[396], 'The result is larger than one query may return.'],
  [[241], 'The query needs more memory than one query may use.'],
  [[243], 'The query needs more room for what it sorts and groups than the warehouse has.'],
  [[191], 'A list that the query looks things up in (IN, JOIN, DISTINCT) is larger than it may be.'],
  [[36, 162, 167, 168, 229, 306, 572], 'The query is too long, or too deeply nested.'],
  [[161, 165, 166], 'The query uses more columns than one query may.'],
  [[277], 'The warehouse takes only queries that filter on the key of the table.'],
  [[565], 'The query would read more partitions than one query may.'],
]

/**
 * Sentences for failures that only the server's operators can fix. The original messages contain users, grants, hosts and paths,
 * so only the log has them.
 */
const SENTENCE_OF_KIND: Readonly<Partial<Record<WarehouseErrorKind, string>>> = {
  denied: 'The warehouse does not let Clew run this query.',
  authentication: 'The warehouse does not accept Clew’s credentials.',
  unavailable: 'The warehouse cannot be reached, or is too busy, just now.',
  broken: 'The warehouse cannot read a part of its own data.',
}

/**
 * Describes in one plain sentence why a query failed: it reached a limit, or the server could not run it. Includes the time limit
 * if the server states it. Leaves out settings, users, hosts and file paths.
 */
export function plainSentence(error: WarehouseError): string {
  const fixed = SENTENCE_OF_KIND[error.kind]
  if (fixed !== undefined) return fixed
  const code = error.serverCode
  if (code === undefined) return withoutInternals(error.message)
  const allowed = code === SERVER_CODES.timeout.TIMEOUT_EXCEEDED ? /maximum: ([\d.]+) (ms|seconds)/.exec(error.message) : null
  if (allowed !== null) {
    const seconds = Number(allowed[1]) / (allowed[2] === 'ms' ? 1_000 : 1)
    return `The query took longer than the ${Number(seconds.toFixed(1))} s that it may take.`
  }
  return LIMIT_SENTENCES.find(([codes]) => codes.includes(code))?.[1] ?? withoutInternals(error.message)
}

/**
 * Removes details of the server from a message about a query: `(while reading from part /var/lib/…)`, `(in file/uri …)`, paths,
 * and `host:9000`. A path that is a value in the query looks the same, so it is removed too.
 */
export function withoutInternals(text: string): string {
  return text
    .replace(/(?:[.:,]|(?<!\s))\s*\(?\b(?:while reading|in file)\b[\s\S]*$/i, '.')
    .replace(/\bReceived from \S+\s+(?:DB::Exception: )?/g, '')
    .replace(/(?<![\w./])\/[\w.@+~-]+(?:\/[\w.@+~-]*)+/g, '…')
    .replace(/\[[\da-f:.]+\]:\d+|\b[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}:\d{2,5}\b|\b[a-z][\w-]{0,62}:\d{4,5}\b/gi, '…')
}

function serverError(serverCode: number, text: string, queryId: string): WarehouseError {
  const message = shortMessage(text)
  // BAD_ARGUMENTS usually means a mistake in the query. But max_expanded_ast_elements has no code of its own, so a query that
  // exceeds it also gets BAD_ARGUMENTS. Only the message tells the two apart.
  const tooBig = serverCode === SERVER_CODES.query.BAD_ARGUMENTS && message.startsWith('Query tree is too big')
  // The memory of all queries together is used up. This query may be small and may succeed later, so it can be repeated. Older
  // servers have the second wording.
  const serverFull =
    serverCode === MEMORY_LIMIT_EXCEEDED &&
    /^(?:(?:\(total\)|Total|User) memory limit|Memory limit \((?:total|for user)\))/i.test(message)
  const kind = tooBig ? 'resource' : serverFull ? 'unavailable' : kindOfServerCode(serverCode)
  return new WarehouseError(message, { kind, serverCode, queryId })
}

function codeInText(text: string): string | undefined {
  return /Code: (\d+)\. \w+::/.exec(text)?.[1]
}

/** Returns the actual sentence of a ClickHouse error, without the code, the code's name, the version and the stack trace. */
function shortMessage(text: string): string {
  const inner = text
    .replace(/^[\s\S]*?Code: \d+\. \w+::[\w:]*Exception: /, '')
    .replace(/^Code: \d+\. \w+::[\w:]*Exception: /, '')
    .replace(/(?<!\s)\s*Stack trace:[\s\S]*$/, '')
  const sentence = withoutFrame(inner).trim()
  return sentence.length > SERVER_LIMITS.messageCharacters ? `${sentence.slice(0, SERVER_LIMITS.messageCharacters)}…` : sentence
}

/** Matches the code's name, such as `(UNKNOWN_TABLE)`, or `(version 26.7…)`. Both follow the actual sentence of an error. */
const FRAME = /\((?:[A-Z][A-Z0-9_]+|version [^()]*(?:\([^()]*\))?)\)\.?/g

/** Removes the code's name and the version from the end of a text. */
function withoutFrame(text: string): string {
  let start = 0
  let end = 0
  for (const { 0: frame, index } of text.matchAll(FRAME)) {
    if (text.slice(end, index).trim() !== '') start = index
    end = index + frame.length
  }
  return text.slice(end).trim() === '' ? text.slice(0, start) : text
}
