import { z } from 'zod'
import { ChatError } from '../../chat/error.ts'
import type { ChatPerson } from '../../chat/platform.ts'
import { languageOf } from '../../words/language.ts'
import { callSlack, type SlackClientOptions } from './client.ts'

const TTL_MS = 60 * 60 * 1_000
/** Short, because placeholders and answers wait for it. */
const LOOKUP_MS = 2_000
/** Caches this many people; the oldest go first. */
const CAPACITY = 5_000

const NOBODY: ChatPerson = {}

/** Throws only when cancelled. */
export type SlackPersons = (user: string, signal: AbortSignal) => Promise<ChatPerson>

const userSchema = z
  .object({ user: z.object({ tz: z.string().optional(), locale: z.string().optional().transform(languageOf) }) })
  .transform(
    ({ user: { tz, locale } }): ChatPerson => ({ ...(isTimeZone(tz) && { timeZone: tz }), ...(locale && { language: locale }) }),
  )

/** Looks up time zones and languages, once an hour per person. A nicety: without Slack's answer, both are unknown. */
export function createSlackPersons(deps: { readonly client: SlackClientOptions; readonly now: () => number }): SlackPersons {
  const client = { ...deps.client, timeoutMs: Math.min(deps.client.timeoutMs, LOOKUP_MS) }
  const known = new Map<string, { readonly person: ChatPerson; readonly until: number }>()

  return async (user, signal) => {
    const entry = known.get(user)
    if (entry !== undefined && entry.until > deps.now()) return entry.person
    try {
      const asked = { user, include_locale: true }
      const { data: person = NOBODY } = userSchema.safeParse(await callSlack(client, signal, slack => slack.users.info(asked)))
      const oldest = known.keys().next()
      if (known.size >= CAPACITY && !oldest.done) known.delete(oldest.value)
      known.delete(user)
      known.set(user, { person, until: deps.now() + TTL_MS })
      return person
    } catch (error) {
      if (!(error instanceof ChatError) || error.kind === 'cancelled') throw error
      deps.client.logger.warn({ kind: error.kind, cause: error.message }, 'slack did not tell who somebody is')
      return NOBODY
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
