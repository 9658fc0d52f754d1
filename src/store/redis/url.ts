import { ConfigurationError } from '../../base/errors.ts'

/**
 * The parsed `REDIS_URL`. Its forms:
 * - one server: `redis://[user:password@]host[:6379][/database]`, `rediss://…` over TLS, `unix:///path/to/socket`
 * - Redis Cluster: `redis+cluster://[user:password@]host:port,host:port`, `rediss+cluster://…`
 * - Sentinel: `redis+sentinel://[user:password@]host[:26379],host/[database]?name=mymaster`, with the options
 *   `&sentinelPassword=…` and `&sentinelUsername=…`; `rediss+sentinel://…` over TLS
 *
 * User and password are percent-encoded. For a private certificate authority, set `NODE_EXTRA_CA_CERTS`.
 */
export interface RedisAddress {
  readonly kind: 'single' | 'cluster' | 'sentinel'
  readonly hosts: readonly { readonly host: string; readonly port: number }[]
  readonly socketPath: string | undefined
  readonly tls: boolean
  readonly username: string | undefined
  readonly password: string | undefined
  readonly database: number
  readonly sentinel:
    | { readonly name: string; readonly username: string | undefined; readonly password: string | undefined }
    | undefined
}

const REDIS_URL = /^(rediss?)(?:\+(cluster|sentinel))?:\/\/(?:([^@/?#]*)@)?([^@/?#]+)(?:\/(\d*))?(?:\?([^#]*))?$/
const HOST = /^(?:\[([0-9a-fA-F:.]+)\]|([^:[\]\s]+))(?::(\d{1,5}))?$/

/**
 * Parses a `REDIS_URL`.
 * @throws ConfigurationError with a message that does not contain the password
 */
export function parseRedisUrl(url: string): RedisAddress {
  if (url.startsWith('unix://')) {
    return {
      kind: 'single',
      hosts: [],
      socketPath: decode(url.slice('unix://'.length)),
      tls: false,
      username: undefined,
      password: undefined,
      database: 0,
      sentinel: undefined,
    }
  }
  const match = REDIS_URL.exec(url)
  if (match === null) throw malformed('it is not of the form redis://[user:password@]host[:port][/database]')
  const [, scheme, variant, credentials, hostList = '', database = '', query = ''] = match
  const kind = variant === 'cluster' || variant === 'sentinel' ? variant : 'single'
  const hosts = hostList.split(',').map(host => parseHost(host, kind === 'sentinel' ? 26_379 : 6379))
  if (kind === 'single' && hosts.length > 1) throw malformed('several hosts need redis+cluster:// or redis+sentinel://')
  if (kind === 'cluster' && Number(database) > 0) throw malformed('a Redis Cluster has database 0 only')
  return {
    kind,
    hosts,
    socketPath: undefined,
    tls: scheme === 'rediss',
    ...parseCredentials(credentials),
    database: Number(database),
    sentinel: kind === 'sentinel' ? parseSentinel(new URLSearchParams(query)) : undefined,
  }
}

/** Returns the address for messages and logs, without user, password and options. */
export function describeRedis(address: RedisAddress): string {
  if (address.socketPath !== undefined) return `unix://${address.socketPath}`
  const scheme = `${address.tls ? 'rediss' : 'redis'}${address.kind === 'single' ? '' : `+${address.kind}`}`
  const hosts = address.hosts.map(({ host, port }) => `${host.includes(':') ? `[${host}]` : host}:${port}`).join(',')
  return `${scheme}://${hosts}${address.database > 0 ? `/${address.database}` : ''}`
}

function parseHost(text: string, defaultPort: number): { host: string; port: number } {
  const match = HOST.exec(text)
  const host = match?.[1] ?? match?.[2]
  const port = match?.[3] === undefined ? defaultPort : Number(match[3])
  if (host === undefined || port < 1 || port > 65_535) throw malformed('a host must read name, name:port or [ipv6]:port')
  return { host, port }
}

/** Parses `user:password` or `:password`. A text without a colon is a password, as in older URLs. */
function parseCredentials(text: string | undefined): { username: string | undefined; password: string | undefined } {
  if (text === undefined || text === '') return { username: undefined, password: undefined }
  const colon = text.indexOf(':')
  const username = colon < 0 ? '' : decode(text.slice(0, colon))
  return { username: username === '' ? undefined : username, password: decode(text.slice(colon + 1)) }
}

function parseSentinel(query: URLSearchParams): NonNullable<RedisAddress['sentinel']> {
  const name = query.get('name')
  if (name === null || name === '') throw malformed('a Sentinel address names its primary: …?name=mymaster')
  return { name, username: query.get('sentinelUsername') ?? undefined, password: query.get('sentinelPassword') ?? undefined }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch (error) {
    throw malformed('user, password and path must be percent-encoded', error)
  }
}

function malformed(reason: string, cause?: unknown): ConfigurationError {
  return new ConfigurationError(`REDIS_URL cannot be read: ${reason}.`, { cause })
}
