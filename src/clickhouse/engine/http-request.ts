import type { IncomingMessage } from 'node:http'
import { EngineFailure, FAILURE_CODES } from './failure.ts'
import { PERSON_HEADER } from './person-header.ts'

/** One parsed request to the engine's HTTP interface. The fields use the terms of ClickHouse's HTTP interface. */
export interface EngineRequest {
  readonly queryId: string | undefined
  readonly sql: string
  /** The rows of an INSERT whose statement is in the URL. Otherwise undefined, because the body is the statement itself. */
  readonly body: Buffer | undefined
  readonly format: string
  readonly database: string | undefined
  readonly settings: Readonly<Record<string, string>>
  readonly parameters: Readonly<Record<string, string>>
  readonly compress: boolean
  /** The hashed name of the person who asks, or '' if the query belongs to no person. */
  readonly person: string
}

/** URL parameters that are not settings. All other parameters are settings (https://clickhouse.com/docs/interfaces/http). */
const RESERVED = new Set([
  'query',
  'query_id',
  'database',
  'default_format',
  'user',
  'password',
  'quota_key',
  'wait_end_of_query',
  'buffer_size',
])
/** Settings of the HTTP interface alone, which the engine does not get. Every user is allowed to set them. */
const HTTP_SETTINGS = new Set([
  'enable_http_compression',
  'http_zlib_compression_level',
  'send_progress_in_http_headers',
  'cancel_http_readonly_queries_on_client_close',
  'log_comment',
])
const UNSUPPORTED = new Set(['session_id', 'session_check', 'session_timeout', 'role', 'compress', 'decompress'])

/**
 * Parses a request.
 * @throws EngineFailure for features that are not supported (sessions, roles, native compression)
 */
export function readEngineRequest(request: IncomingMessage, url: URL, body: Buffer): EngineRequest {
  const settings: Record<string, string> = {}
  const parameters: Record<string, string> = {}
  for (const [name, value] of url.searchParams) {
    if (UNSUPPORTED.has(name)) {
      throw new EngineFailure(FAILURE_CODES.notImplemented, `The embedded engine does not support the URL parameter '${name}'`)
    }
    if (name.startsWith('param_')) parameters[name.slice('param_'.length)] = value
    else if (!RESERVED.has(name) && !HTTP_SETTINGS.has(name)) settings[name] = value
  }
  const fromUrl = url.searchParams.get('query')
  return {
    queryId: url.searchParams.get('query_id') ?? undefined,
    sql: fromUrl ?? body.toString('utf8'),
    body: fromUrl !== null && body.length > 0 ? body : undefined,
    format: url.searchParams.get('default_format') ?? header(request, 'x-clickhouse-format') ?? 'TabSeparated',
    database: url.searchParams.get('database') ?? databaseHeader(request),
    settings,
    parameters,
    compress:
      url.searchParams.get('enable_http_compression') === '1' && /\bgzip\b/.test(request.headers['accept-encoding'] ?? ''),
    person: header(request, PERSON_HEADER.toLowerCase()) ?? '',
  }
}

/** Decodes the database name in a header. Node reads headers as Latin-1, but the name is UTF-8. */
function databaseHeader(request: IncomingMessage): string | undefined {
  const value = header(request, 'x-clickhouse-database')
  return value === undefined ? undefined : Buffer.from(value, 'latin1').toString('utf8')
}

function header(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name]
  return typeof value === 'string' ? value : undefined
}
