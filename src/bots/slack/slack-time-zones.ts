import { z } from 'zod'
import { ChatError } from '../chat-error.ts'
import { callSlack, type SlackClientOptions } from './slack-client.ts'

const TTL_MS = 60 * 60 * 1_000
/** An answer waits for its asker's zone no longer than this. */
const LOOKUP_MS = 2_000
/** So many people are remembered; the one asked for first goes first. */
const CAPACITY = 5_000

const userSchema = z.object({ user: z.object({ tz: z.string().optional() }) })

/**
 * Looks people's time zones up, once an hour each. A zone is a nicety: where Slack does not tell it, for whatever reason, there is none.
 * The returned function throws only when cancelled.
 */
export function createTimeZones(deps: {
  readonly client: SlackClientOptions
  readonly now: () => number
}): (user: string, signal: AbortSignal) => Promise<string | undefined> {
  const client = { ...deps.client, timeoutMs: Math.min(deps.client.timeoutMs, LOOKUP_MS) }
  const known = new Map<string, { readonly zone: string | undefined; readonly until: number }>()

  return async (user, signal) => {
    const entry = known.get(user)
    if (entry !== undefined && entry.until > deps.now()) return entry.zone
    try {
      const answer = userSchema.safeParse(await callSlack(client, signal, slack => slack.users.info({ user })))
      const zone = answer.success && isTimeZone(answer.data.user.tz) ? answer.data.user.tz : undefined
      const oldest = known.keys().next()
      if (known.size >= CAPACITY && !oldest.done) known.delete(oldest.value)
      known.delete(user)
      known.set(user, { zone, until: deps.now() + TTL_MS })
      return zone
    } catch (error) {
      if (!(error instanceof ChatError) || error.kind === 'cancelled') throw error
      deps.client.logger.warn({ kind: error.kind, cause: error.message }, 'slack did not tell a time zone')
      return undefined
    }
  }
}

function isTimeZone(name: string | undefined): boolean {
  if (name === undefined) return false
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}
