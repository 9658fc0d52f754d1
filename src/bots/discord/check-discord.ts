import { Routes } from 'discord.js'
import { z } from 'zod'
import type { Report } from '../../base/check.ts'
import { ChatError } from '../../chat/error.ts'
import { compareDiscordCommands, isDifferent } from './receive/commands.ts'
import { readResponse } from './response.ts'
import { type CallDiscord, createDiscordCalls, type DiscordRestOptions } from './rest.ts'

export interface DiscordCheckOptions extends DiscordRestOptions {
  readonly applicationId: string
}

/**
 * The two flags that let an application read message content: one for bots in many servers, one for bots in few. Source:
 * discord.com/developers/docs/resources/application, "Application Flags".
 */
const READS_CONTENT = (1 << 18) | (1 << 19)

/**
 * The permissions that Clew needs: View Channels, Send Messages (needed for embeds and files), Embed Links, Attach Files, Read
 * Message History, Create Public Threads, Send Messages in Threads. Source: discord.com/developers/docs/topics/permissions.
 */
export const NEEDED_PERMISSIONS = [10, 11, 14, 15, 16, 35, 38].reduce((bits, bit) => bits | (1n << BigInt(bit)), 0n)

const applicationSchema = z.object({
  id: z.string(),
  name: z.string().nullish(),
  flags: z.number().default(0),
  interactions_endpoint_url: z.string().nullish(),
  approximate_guild_count: z.number().optional(),
})
type Application = z.infer<typeof applicationSchema>

/** Checks the token, the application's permissions and its commands, without opening a connection. */
export async function checkDiscord(options: DiscordCheckOptions, report: Report, signal: AbortSignal): Promise<void> {
  const call = createDiscordCalls(options)
  const application = await readApplication(call, signal).catch(failed)
  if (application instanceof ChatError) {
    const advice = application.retryable
      ? 'Try again in a minute; check that this machine reaches https://discord.com (or DISCORD_API_URL).'
      : 'Set DISCORD_TOKEN to the token of the bot (Developer Portal → Bot → Reset Token).'
    report({ check: 'bot token', state: 'failed', found: application.message, advice })
    return
  }
  report({ check: 'bot token', state: 'ok', found: `Clew is the application ${application.name ?? application.id}` })
  if (application.id !== options.applicationId) {
    const advice = `Set DISCORD_APPLICATION_ID to ${application.id}, or take the token of the other application.`
    report({ check: 'application id', state: 'failed', found: `the token is that of application ${application.id}`, advice })
    return
  }
  report({ check: 'application id', state: 'ok', found: 'it is that of the token' })
  reportIntents(application, report)
  reportInteractions(application, report)
  reportServers(application, report)
  await reportCommands(call, application, report, signal)
}

async function readApplication(call: CallDiscord, signal: AbortSignal): Promise<Application> {
  return readResponse(applicationSchema, await call(signal, (rest, signal) => rest.get(Routes.currentApplication(), { signal })))
}

function reportIntents({ flags }: Application, report: Report): void {
  const check = 'intents'
  if ((flags & READS_CONTENT) !== 0) {
    report({ check, state: 'ok', found: 'the bot may read the content of messages' })
    return
  }
  const advice = 'Switch on Message Content Intent (Developer Portal → Bot), then start clew bots again.'
  const found = 'the bot may not read the content of messages: it misses follow-ups that do not mention it'
  report({ check, state: 'warning', found, advice })
}

/**
 * Reports whether commands and buttons arrive over the gateway. If the application sends them to a web address instead, Clew does
 * not receive them.
 */
function reportInteractions({ interactions_endpoint_url: address }: Application, report: Report): void {
  const check = 'interactions'
  if (address === null || address === undefined || address === '') {
    report({ check, state: 'ok', found: 'commands and buttons come over the gateway' })
    return
  }
  const advice = 'Empty the field Interactions Endpoint URL (Developer Portal → General Information).'
  report({ check, state: 'failed', found: 'Discord sends commands and buttons to a web address, and not here', advice })
}

function reportServers({ id, approximate_guild_count: servers }: Application, report: Report): void {
  if (servers === undefined || servers > 0) return
  const advice = `Invite it: ${inviteAddress(id)}`
  report({ check: 'servers', state: 'warning', found: 'the bot is in no server', advice })
}

async function reportCommands(call: CallDiscord, { id }: Application, report: Report, signal: AbortSignal): Promise<void> {
  const check = 'commands'
  const difference = await compareDiscordCommands(call, id, signal).catch(failed)
  const advice = 'Run clew discord-commands.'
  if (difference instanceof ChatError) {
    report({ check, state: 'warning', found: difference.message, advice })
    return
  }
  const { missing, changed } = difference
  const lacking = [...missing, ...changed].map(name => `/${name}`)
  if (!isDifferent(difference)) report({ check, state: 'ok', found: 'registered as they should be' })
  else if (lacking.length > 0)
    report({ check, state: 'warning', found: `not registered as they should be: ${lacking.join(', ')}`, advice })
  else
    report({ check, state: 'ok', found: `registered, beside others: ${difference.foreign.map(name => `/${name}`).join(', ')}` })
}

/** Returns the link that adds the bot to a server, with the permissions that the bot needs. */
export function inviteAddress(applicationId: string): string {
  return `https://discord.com/oauth2/authorize?client_id=${applicationId}&scope=bot+applications.commands&permissions=${NEEDED_PERMISSIONS}`
}

function failed(error: unknown): ChatError {
  if (error instanceof ChatError && error.kind !== 'cancelled') return error
  throw error
}
