import { DiscordAPIError, HTTPError, RateLimitError } from 'discord.js'
import { connectionReason } from '../../base/errors.ts'
import { ChatError, type ChatErrorKind } from '../../chat/error.ts'

/**
 * Discord's error codes, grouped by the kind of ChatError that they become. For other codes, the HTTP status decides. Source:
 * discord.com/developers/docs/topics/opcodes-and-status-codes, "JSON Error Codes".
 */
const KINDS = {
  unavailable: [20_016, 20_028, 20_029, 30_046, 40_003, 40_006, 40_062, 110_000, 110_001, 130_000],
  removed: [10_008],
  gone: [10_003, 10_004, 10_007, 10_013, 10_015, 10_062, 50_027, 50_278],
  forbidden: [
    20_012, 40_004, 40_007, 40_058, 40_094, 50_001, 50_003, 50_005, 50_007, 50_008, 50_009, 50_013, 50_021, 50_024, 50_083,
    160_004, 160_005, 160_006, 160_007,
  ],
  authentication: [40_001, 40_002, 50_014],
  rejected: [40_005, 50_006, 50_035, 50_045, 50_046, 200_000, 200_001, 240_000],
} as const satisfies Partial<Record<ChatErrorKind, readonly number[]>>

const KIND_OF_CODE: ReadonlyMap<number, ChatErrorKind> = new Map(
  Object.entries(KINDS).flatMap(([kind, codes]) => codes.map(code => [code, kind as keyof typeof KINDS] as const)),
)

/**
 * Discord's error without the request's address and body. These may contain an interaction's token, which must not appear in
 * logs.
 */
class DiscordRefusal extends Error {
  readonly discordCode: number

  constructor(message: string, discordCode: number) {
    super(message)
    this.name = 'DiscordRefusal'
    this.discordCode = discordCode
  }
}

/** Returns Discord's error code if the ChatError has one. */
export function refusalCode(error: unknown): number | undefined {
  return error instanceof ChatError && error.cause instanceof DiscordRefusal ? error.cause.discordCode : undefined
}

/** Whether an interaction's token has expired, or the interaction was never acknowledged. */
export function isTokenSpent(error: unknown): boolean {
  return SPENT.has(refusalCode(error) ?? 0)
}

const SPENT: ReadonlySet<number> = new Set([10_015, 10_062, 50_027])

/** Turns an error of Discord's client into a ChatError. It is `cancelled` if `signal` aborted the call. */
export function toChatError(error: unknown, signal: AbortSignal): ChatError {
  if (error instanceof ChatError) return error
  if (signal.aborted) return new ChatError('The call to Discord was cancelled.', { kind: 'cancelled', cause: error })
  if (error instanceof RateLimitError)
    return new ChatError('Discord asks to wait.', {
      kind: 'rate_limited',
      retryAfterMs: Math.max(1, Math.ceil(error.retryAfter)),
      isGlobal: error.global,
    })
  if (error instanceof HTTPError)
    return new ChatError(`Discord answered with HTTP status ${error.status}.`, { kind: 'unavailable' })
  if (error instanceof DiscordAPIError) return refusal(error)
  return new ChatError(`Discord could not be reached: ${connectionReason(error)}`, { kind: 'unavailable', cause: error })
}

function refusal({ code, status, message }: DiscordAPIError): ChatError {
  // Discord also answers an expired interaction token with 401, but adds an error code. So a 401 without a known code means that
  // the bot token is wrong.
  const known = typeof code === 'number' ? KIND_OF_CODE.get(code) : undefined
  if (known === undefined && status === 401) return new ChatError('Discord refuses the bot token.', { kind: 'authentication' })
  // An error without a code does not come from Discord, but from a proxy's error page.
  if (typeof code !== 'number')
    return new ChatError(`Discord answered with HTTP status ${status} and no JSON.`, { kind: 'unavailable' })
  const kind = known ?? KIND_OF_STATUS.get(status) ?? 'rejected'
  const said = message.replace(/\s+/g, ' ').slice(0, 300)
  return new ChatError(`Discord refused the call: ${said} (${code}).`, { kind, cause: new DiscordRefusal(said, code) })
}

const KIND_OF_STATUS: ReadonlyMap<number, ChatErrorKind> = new Map([
  [403, 'forbidden'],
  [404, 'gone'],
  [408, 'unavailable'],
])
