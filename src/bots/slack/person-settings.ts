import { z } from 'zod'
import { isTimeZone } from '../../base/time-zone.ts'
import { ChatError } from '../../chat/error.ts'
import type { PersonSettings } from '../../chat/platform.ts'
import { languageOf } from '../../words/language.ts'
import { callSlack, type SlackClientOptions } from './client.ts'
import { SLACK_LIMITS } from './limits.ts'

const NOBODY: PersonSettings = {}

/** Returns a person's settings. Throws only if cancelled. */
export type SlackPersonSettings = (user: string, signal: AbortSignal) => Promise<PersonSettings>

const userSchema = z
  .object({ user: z.object({ tz: z.string().optional(), locale: z.string().optional().transform(languageOf) }) })
  .transform(
    ({ user: { tz, locale } }): PersonSettings => ({
      ...(tz !== undefined && isTimeZone(tz) && { timeZone: tz }),
      ...(locale && { language: locale }),
    }),
  )

/**
 * Looks up people's time zones and languages, once an hour for each person. If Slack does not answer, they are unknown, and Clew
 * works without them.
 */
export function createSlackPersonSettings(deps: {
  readonly client: SlackClientOptions
  readonly now: () => number
}): SlackPersonSettings {
  const client = { ...deps.client, timeoutMs: Math.min(deps.client.timeoutMs, SLACK_LIMITS.lookupMs) }
  const known = new Map<string, { readonly person: PersonSettings; readonly until: number }>()

  return async (user, signal) => {
    const entry = known.get(user)
    if (entry !== undefined && entry.until > deps.now()) return entry.person
    try {
      const asked = { user, include_locale: true }
      const { data: person = NOBODY } = userSchema.safeParse(await callSlack(client, signal, slack => slack.users.info(asked)))
      const oldest = known.keys().next()
      if (known.size >= SLACK_LIMITS.cachedPersons && !oldest.done) known.delete(oldest.value)
      known.delete(user)
      known.set(user, { person, until: deps.now() + SLACK_LIMITS.personMs })
      return person
    } catch (error) {
      if (!(error instanceof ChatError) || error.kind === 'cancelled') throw error
      deps.client.logger.warn({ kind: error.kind, cause: error.message }, 'slack did not tell who somebody is')
      return NOBODY
    }
  }
}
