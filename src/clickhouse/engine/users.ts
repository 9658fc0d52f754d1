import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { OWNER_SETTINGS, READER_SETTINGS } from '../limits.ts'

/** A user of the embedded engine: its initial settings, and the pool from which its queries take slots. */
export interface EngineUser {
  readonly name: string
  readonly pool: 'readers' | 'writers'
  readonly settings: Readonly<Record<string, string>>
}

/**
 * chDB changes these two settings, as clickhouse-local does; these are a server's defaults. `system.settings` shows them as
 * `changed`.
 */
export const AS_ON_A_SERVER = { implicit_select: '0', allow_introspection_functions: '0' } as const

/** Returns a user with the same rights as the reading user of a real server. */
function reader(seconds: number): EngineUser {
  return {
    name: 'reader',
    pool: 'readers',
    settings: { ...AS_ON_A_SERVER, ...READER_SETTINGS, max_execution_time: String(seconds), readonly: '1' },
  }
}
const OWNER: EngineUser = { name: 'owner', pool: 'writers', settings: { ...AS_ON_A_SERVER, ...OWNER_SETTINGS } }

export interface Passwords {
  readonly reader: string
  readonly owner: string
}

export function newPasswords(): Passwords {
  return { reader: randomBytes(24).toString('base64url'), owner: randomBytes(24).toString('base64url') }
}

export class EngineUsers {
  readonly #users: readonly { readonly user: EngineUser; readonly digest: Buffer }[]

  /** @param others further users; they have the same password as the reading user */
  constructor(passwords: Passwords, readerSeconds: number, others: readonly EngineUser[]) {
    const entry = (user: EngineUser, password: string) => ({ user, digest: digest(user.name, password) })
    this.#users = [
      entry(reader(readerSeconds), passwords.reader),
      entry(OWNER, passwords.owner),
      ...others.map(user => entry(user, passwords.reader)),
    ]
  }

  /**
   * Returns the user with the credentials in the request. Credentials may be in basic authentication, in ClickHouse's headers, or
   * in the URL. Returns undefined if they are missing or wrong.
   */
  authenticate(request: IncomingMessage, parameters: URLSearchParams): EngineUser | undefined {
    const credentials = credentialsOf(request, parameters)
    if (credentials === undefined) return undefined
    const given = digest(credentials.name, credentials.password)
    return this.#users.find(({ digest }) => timingSafeEqual(digest, given))?.user
  }
}

function credentialsOf(request: IncomingMessage, parameters: URLSearchParams): { name: string; password: string } | undefined {
  const basic = /^Basic\s+(\S.*)$/i.exec(request.headers.authorization ?? '')?.[1]
  if (basic !== undefined) {
    const text = Buffer.from(basic, 'base64').toString()
    const colon = text.indexOf(':')
    return colon < 0 ? undefined : { name: text.slice(0, colon), password: text.slice(colon + 1) }
  }
  const name = single(request.headers['x-clickhouse-user']) ?? parameters.get('user')
  const password = single(request.headers['x-clickhouse-key']) ?? parameters.get('password')
  return name === null || password === null ? undefined : { name, password }
}

function single(header: string | string[] | undefined): string | null {
  return typeof header === 'string' ? header : null
}

function digest(name: string, password: string): Buffer {
  return createHash('sha256').update(`${name}\0${password}`).digest()
}
