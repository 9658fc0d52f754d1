import { ConfigurationError } from '../../base/errors.ts'
import { address, patterned } from '../../base/variables.ts'
import type { PlatformEntry, PlatformValues } from '../shared/platform-entry.ts'
import { DISCORD_LIMITS } from './limits.ts'

const ID = { pattern: /^\d{17,20}$/, form: 'a number of 17 to 20 digits (Developer Mode → Copy ID)' }

export const DISCORD = {
  name: 'discord',
  title: 'Discord',
  needs: 'DISCORD_TOKEN and DISCORD_APPLICATION_ID',
  variables: {
    DISCORD_TOKEN: patterned(/^[\w-]+\.[\w-]+\.[\w-]+$/, "a bot's token, which has three parts with dots between them"),
    DISCORD_APPLICATION_ID: patterned(ID.pattern, "an application's id, a number of 17 to 20 digits"),
    DISCORD_API_URL: address(['http://', 'https://']),
  },
  secrets: ['DISCORD_TOKEN'],
  apiVariable: 'DISCORD_API_URL',
  ids: { workspace: ID, users: ID, groups: ID, channels: ID },
  showsRecentQuestions: false,
  configure(values) {
    const settings = discordSettings(values)
    if (settings === undefined) return undefined
    return {
      async open({ logger, linkHosts, drawChart }) {
        const [{ createDiscordSurface }, { createDiscordOutbox }] = await Promise.all([
          import('./surface.ts'),
          import('./outbox.ts'),
        ])
        return {
          surface: ({ tells }) => createDiscordSurface({ ...settings, logger, tells }),
          destination: {
            outbox: createDiscordOutbox({ ...settings, logger, allowedLinkHosts: linkHosts, drawChart }),
            progressEditsPerMinute: DISCORD_LIMITS.progressEditsPerMinute,
            requestsPerSecond: DISCORD_LIMITS.callsPerSecond,
          },
        }
      },
      people: async ({ timeoutMs }) =>
        (await import('./people-directory.ts')).createDiscordPeopleDirectory({ ...settings, timeoutMs }),
      check: async ({ timeoutMs }, report, signal) =>
        (await import('./check-discord.ts')).checkDiscord({ ...settings, timeoutMs }, report, signal),
      registerCommands: async signal => {
        const [{ registerDiscordCommands }, { createDiscordCalls }] = await Promise.all([
          import('./receive/commands.ts'),
          import('./rest.ts'),
        ])
        return registerDiscordCommands(createDiscordCalls(settings), settings.applicationId, signal)
      },
    }
  },
} as const satisfies PlatformEntry

/**
 * Reads Discord's settings.
 * @throws ConfigurationError
 */
export function discordSettings({
  DISCORD_TOKEN: token,
  DISCORD_APPLICATION_ID: applicationId,
  DISCORD_API_URL: apiUrl,
}: PlatformValues) {
  if (token !== undefined && applicationId !== undefined) return { token, applicationId, apiUrl }
  if (token !== undefined) {
    throw new ConfigurationError(
      'DISCORD_TOKEN is set but DISCORD_APPLICATION_ID is not: copy it from the Developer Portal (General Information).',
    )
  }
  if (applicationId !== undefined) {
    throw new ConfigurationError(
      "DISCORD_APPLICATION_ID is set but DISCORD_TOKEN is not: copy the bot's token from the Developer Portal (Bot → Reset Token).",
    )
  }
  return undefined
}
