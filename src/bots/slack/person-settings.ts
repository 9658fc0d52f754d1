import { z } from 'zod'
import { isTimeZone } from '../../base/time-zone.ts'
import { ChatError } from '../../chat/error.ts'
import type { PersonSettings } from '../../chat/platform.ts'
import { languageOf } from '../../words/language.ts'
import { callSlack, type SlackClientOptions } from './client.ts'

const TTL_MS = 60 * 60 * 1_000
/** Short, because placeholders and answers wait for it. */
const LOOKUP_MS = 2_000
/** Caches this many people; the oldest go first. */
const CAPACITY = 5_000

const NOBODY: PersonSettings = {}

/** Throws only when cancelled. */
export type SlackPersonSettings = (user: string, signal: AbortSignal) => Promise<PersonSettings>

const userSchema = z
  .object({ user: z.object({ tz: z.string().optional(), locale: z.string().optional().transform(languageOf) }) })
  .transform(
    ({ user: { tz, locale } }): PersonSettings => ({
      ...(tz !== undefined && isTimeZone(tz) && { timeZone: tz }),
      ...(locale && { language: locale }),
    }),
  )

/** Looks up time zones and languages, once an hour per person. A nicety: without Slack's answer, both are unknown. */
export function createSlackPersonSettings(deps: {
  readonly client: SlackClientOptions
  readonly now: () => number
}): SlackPersonSettings {
  const client = { ...deps.client, timeoutMs: Math.min(deps.client.timeoutMs, LOOKUP_MS) }
  const known = new Map<string, { readonly person: PersonSettings; readonly until: number }>()

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
