import { createHash, randomBytes } from 'node:crypto'
import { z } from 'zod'
import { parseJson } from '../base/text/parse-json.ts'
import { callRedis } from '../store/redis/call-redis.ts'
import type { RedisClient } from '../store/redis/client.ts'
import { openSigned, signText } from '../store/signed-text.ts'
import { HTTP_LIMITS } from './limits.ts'
import type { Token, Tokens } from './tokens.ts'

const linkSchema = z.object({
  /** As `slack/U1`. */
  person: z.string(),
  /** Absent for a person at the terminal. */
  workspace: z.string().optional(),
  /** The role of a person at the terminal. Null if there are no rules, and for people of a chat. */
  role: z.string().nullable(),
  /** How long a session lasts that this link begins. */
  lifeMs: z.number().int().positive(),
  /** When the link ends, as Unix time in milliseconds. */
  expires_at: z.number(),
})
/** Who signs in to the console. */
export type SignIn = Omit<z.infer<typeof linkSchema>, 'expires_at'>

/** `since` is when the token was made: a session does not come back with the next token of this id. */
const sessionSchema = z.object({ token: z.string(), since: z.number(), person: z.string(), expires_at: z.number() })

/** Links that sign in to the console, and the sessions that they begin. Redis has hashes of their secrets only. */
export class Sessions {
  readonly #redis: RedisClient
  readonly #tokens: Pick<Tokens, 'keepFor' | 'find' | 'revoke'>
  readonly #now: () => number

  /** @param deps.now Unix time in milliseconds */
  constructor(deps: {
    readonly redis: RedisClient
    readonly tokens: Pick<Tokens, 'keepFor' | 'find' | 'revoke'>
    readonly now: () => number
  }) {
    this.#redis = deps.redis
    this.#tokens = deps.tokens
    this.#now = deps.now
  }

  /**
   * Makes a link that serves once.
   * @param base the address of the console
   * @param lifeMs how long the link holds
   */
  async createLink(base: string, who: SignIn, signal: AbortSignal, lifeMs: number = HTTP_LIMITS.linkMs): Promise<string> {
    const secret = randomBytes(32).toString('base64url')
    await this.#write(linkKey(secret), { ...who, expires_at: this.#now() + lifeMs }, lifeMs, signal)
    // A server, a proxy and a preview of links never get the part behind #.
    return `${base}/#sign-in=${secret}`
  }

  /**
   * Begins a session with the secret of a link, which then serves no more.
   * @returns undefined if the link is unknown, used or expired
   */
  async signIn(secret: string, signal: AbortSignal) {
    const key = linkKey(secret)
    const text = await callRedis(this.#redis.getdel(key), signal)
    const link = linkSchema.safeParse(this.#open(key, text)).data
    if (link === undefined || link.expires_at <= this.#now()) return undefined
    const { lifeMs, expires_at: _, ...person } = link
    const token = await this.#tokens.keepFor(person, { rate: HTTP_LIMITS.sessionRate, lifeMs }, signal)
    const own = randomBytes(32).toString('base64url')
    const session = { token: token.id, since: token.created_at, person: person.person, expires_at: this.#now() + lifeMs }
    await this.#write(sessionKey(own), session, lifeMs, signal)
    await callRedis(this.#redis.sadd(sessionsKey(token.id), sessionKey(own)), signal)
    await callRedis(this.#redis.pexpireat(sessionsKey(token.id), token.expires_at), signal)
    return { secret: own, token, lifeMs }
  }

  /** Returns the token on which a session stands. Undefined if the session is unknown, has ended, or its token is revoked. */
  async find(secret: string, signal: AbortSignal): Promise<Token | undefined> {
    const session = await this.#read(secret, signal)
    const token = session && session.expires_at > this.#now() ? await this.#tokens.find(session.token, signal) : undefined
    return token?.created_at === session?.since ? token : undefined
  }

  /** Ends a session. With the last one of a person ends the token, and so what is under way for it. */
  async signOut(secret: string, signal: AbortSignal): Promise<void> {
    const session = await this.#read(secret, signal)
    if (session === undefined) return
    await callRedis(this.#redis.del(sessionKey(secret)), signal)
    const others = await callRedis(this.#redis.smembers(sessionsKey(session.token)), signal)
    const standing = await Promise.all(others.map(key => callRedis(this.#redis.exists(key), signal)))
    if (!standing.includes(1)) await this.#tokens.revoke(session.token, signal)
  }

  async #read(secret: string, signal: AbortSignal) {
    const key = sessionKey(secret)
    return sessionSchema.safeParse(this.#open(key, await callRedis(this.#redis.get(key), signal))).data
  }

  async #write(key: string, value: object, lifeMs: number, signal: AbortSignal): Promise<void> {
    const text = signText(this.#redis.stateKey, key, JSON.stringify(value))
    await callRedis(this.#redis.set(key, text, 'PX', lifeMs), signal)
  }

  #open(key: string, text: string | null): unknown {
    return text === null ? undefined : parseJson(openSigned(this.#redis.stateKey, key, text) ?? '')
  }
}

function linkKey(secret: string): string {
  return `clew:console:link:${hashOf(secret)}`
}

function sessionKey(secret: string): string {
  return `clew:console:session:${hashOf(secret)}`
}

/** The set of the sessions that stand on a token, also of those that have ended since. */
function sessionsKey(token: string): string {
  return `clew:console:sessions:${token}`
}

function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex')
}
