import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import { parseJson } from '../base/text/parse-json.ts'
import { callRedis } from '../store/redis/call-redis.ts'
import type { RedisClient } from '../store/redis/client.ts'
import { openSigned, signText } from '../store/signed-text.ts'
import type { Observe } from '../telemetry/observation.ts'

const tokenSchema = z.object({
  id: z.string(),
  name: z.string().nullable(),
  /** The role of access.yaml. Null if there were no rules when the token was made. */
  role: z.string().nullable(),
  /** The number of turns that the token may start in a minute. */
  rate: z.number().int().positive(),
  /** SHA-256 of the secret. The secret has 256 random bits, so it needs no slow hash. */
  hash: z.string(),
  /** Unix times in milliseconds. */
  created_at: z.number(),
  expires_at: z.number(),
  /** The person, as `slack/U1`, for whom the token stands, such as by a sign-in to the console. Absent for a token of a client. */
  person: z.string().optional(),
  /** The workspace whose rules decide over the person. Absent for a person at the terminal. */
  workspace: z.string().optional(),
})
type StoredToken = z.infer<typeof tokenSchema>
export type Token = Omit<StoredToken, 'hash'>

/** Hash: token's id → token. */
const TOKENS = 'clew:http:tokens'
const BEARER = /^clew_([0-9a-f]{16})_([\w-]{43})$/

/** Keeps the tokens of HTTP clients in Redis. Methods throw StoreError. */
export class Tokens {
  readonly #redis: RedisClient
  readonly #now: () => number
  readonly #observe: Observe | undefined

  /** @param deps.now Unix time in milliseconds */
  constructor(deps: { readonly redis: RedisClient; readonly now: () => number; readonly observe?: Observe }) {
    this.#redis = deps.redis
    this.#now = deps.now
    this.#observe = deps.observe
  }

  /**
   * Makes a token.
   * @returns the token, and the text that the client sends; only a hash of it is kept
   */
  async create(
    given: Pick<Token, 'name' | 'role' | 'rate' | 'person' | 'workspace'> & { readonly lifeMs: number },
    signal: AbortSignal,
  ): Promise<{ readonly token: Token; readonly bearer: string }> {
    const digits = randomBytes(8).toString('hex')
    const secret = randomBytes(32).toString('base64url')
    const { lifeMs, ...rest } = given
    const now = this.#now()
    const token: Token = { id: `tok_${digits}`, ...rest, created_at: now, expires_at: now + lifeMs }
    await this.#write({ ...token, hash: hashOf(secret).toString('hex') }, signal)
    this.#observe?.({ kind: 'token', token: token.id, outcome: 'made' })
    return { token, bearer: `clew_${digits}_${secret}` }
  }

  /**
   * Keeps the token of a person who signs in to the console. The id follows from the person, so threads outlive a session. Nobody
   * holds a secret of it.
   */
  async keepFor(
    person: { readonly person: string; readonly workspace?: string | undefined; readonly role: string | null },
    { rate, lifeMs }: { readonly rate: number; readonly lifeMs: number },
    signal: AbortSignal,
  ): Promise<Token> {
    const { workspace, role } = person
    const digest = hashOf(JSON.stringify([person.person, workspace ?? null, role])).toString('hex')
    const id = `tok_${digest.slice(0, 16)}`
    const before = await this.#find(id, signal)
    const now = this.#now()
    const token: Token = {
      ...{ id, name: `console of ${person.person}`, role, rate, created_at: before?.created_at ?? now },
      ...{ expires_at: Math.max(before?.expires_at ?? 0, now + lifeMs), person: person.person },
      ...(workspace !== undefined && { workspace }),
    }
    await this.#write({ ...token, hash: '' }, signal)
    this.#observe?.({ kind: 'token', token: id, outcome: 'signed_in' })
    return token
  }

  /** Returns all tokens, expired ones too, the oldest first. */
  async list(signal: AbortSignal): Promise<readonly Token[]> {
    const all = await callRedis(this.#redis.hgetall(TOKENS), signal)
    const tokens = Object.entries(all).flatMap(([id, text]) => this.#open(id, text) ?? [])
    return tokens.map(withoutHash).sort((one, other) => one.created_at - other.created_at)
  }

  /**
   * Ends a token. That of a person stays as an expired one, because `clew forget` finds by it what the person has asked.
   * @returns whether there was one
   */
  async revoke(id: string, signal: AbortSignal): Promise<boolean> {
    const stored = await this.#find(id, signal)
    const isPersons = stored?.person !== undefined
    if (isPersons) await this.#write({ ...stored, expires_at: this.#now() }, signal)
    const isRevoked = isPersons || (await this.remove(id, signal))
    if (isRevoked) this.#observe?.({ kind: 'token', token: id, outcome: 'revoked' })
    return isRevoked
  }

  /** Removes a token without a trace. @returns whether there was one */
  async remove(id: string, signal: AbortSignal): Promise<boolean> {
    return (await callRedis(this.#redis.hdel(TOKENS, id), signal)) > 0
  }

  /** Returns a token by its id. Undefined if it is unknown, revoked or expired. */
  async find(id: string, signal: AbortSignal): Promise<Token | undefined> {
    const stored = await this.#find(id, signal)
    return stored && withoutHash(stored)
  }

  /** Returns the token whose text a client has sent. Undefined if it is unknown, revoked or expired. */
  async verify(bearer: string, signal: AbortSignal): Promise<Token | undefined> {
    const [, digits, secret = ''] = BEARER.exec(bearer) ?? []
    const stored = digits === undefined ? undefined : await this.#find(`tok_${digits}`, signal)
    const expected = Buffer.from(stored?.hash ?? '', 'hex')
    const given = hashOf(secret)
    const isRight = expected.length === given.length && timingSafeEqual(expected, given)
    const token = stored && isRight ? withoutHash(stored) : undefined
    this.#observe?.({ kind: 'token', token: token?.id ?? '', outcome: token === undefined ? 'refused' : 'used' })
    return token
  }

  async #write(stored: StoredToken, signal: AbortSignal): Promise<void> {
    const text = signText(this.#redis.stateKey, placeOf(stored.id), JSON.stringify(stored))
    await callRedis(this.#redis.hset(TOKENS, stored.id, text), signal)
  }

  async #find(id: string, signal: AbortSignal): Promise<StoredToken | undefined> {
    const text = await callRedis(this.#redis.hget(TOKENS, id), signal)
    const stored = text === null ? undefined : this.#open(id, text)
    return stored !== undefined && stored.expires_at > this.#now() ? stored : undefined
  }

  #open(id: string, text: string): StoredToken | undefined {
    return tokenSchema.safeParse(parseJson(openSigned(this.#redis.stateKey, placeOf(id), text) ?? '')).data
  }
}

/** Whether a text has the form of a token's id. A token itself has another form. */
export function isTokenId(text: string): boolean {
  return /^tok_[0-9a-f]{16}$/.test(text)
}

function placeOf(id: string): string {
  return `token ${id}`
}

function hashOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}

function withoutHash({ hash: _, ...token }: StoredToken): Token {
  return token
}
