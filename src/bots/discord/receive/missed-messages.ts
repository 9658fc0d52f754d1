import { type Client, type REST, Routes } from 'discord.js'
import { z } from 'zod'
import { errorMessage } from '../../../base/errors.ts'
import type { Logger } from '../../../base/logger.ts'
import { DISCORD_LIMITS } from '../limits.ts'
import { snowflakeAt } from '../snowflake.ts'
import { CHANNEL_TYPES } from './event.ts'

interface GapChannel {
  readonly id: string
  readonly guild: string | undefined
  readonly type: number
  readonly last: string
}

const pageSchema = z.array(z.looseObject({ id: z.string().regex(/^\d{1,20}$/) }))

/**
 * Fetches messages that people wrote while no process was connected, in the form of MESSAGE_CREATE. The oldest message of each
 * channel comes first. Reads the channels and active threads that Discord lists at the start of a session, and known direct
 * conversations. Direct messages from new people, archived threads and interactions stay lost.
 */
export async function fetchMissedMessages(
  deps: { readonly client: Client; readonly directChannels: Iterable<string>; readonly logger: Logger },
  since: number,
  handle: (payload: unknown) => void,
  signal: AbortSignal,
): Promise<void> {
  const after = snowflakeAt(since)
  const channels = [...writtenIn(deps.client, after), ...directOnes(deps.directChannels, after)]
  const shown = channels.slice(0, DISCORD_LIMITS.gapChannels)
  if (channels.length > shown.length)
    deps.logger.warn({ channels: channels.length }, 'too many channels to look for missed messages')
  for (const channel of shown) {
    if (signal.aborted) return
    try {
      for (const message of await messagesAfter(deps.client.rest, channel, after, signal)) handle(message)
    } catch (error) {
      deps.logger.debug({ channel: channel.id, cause: errorMessage(error) }, 'missed messages could not be fetched')
    }
  }
}

function writtenIn(client: Client, after: string): readonly GapChannel[] {
  const types: readonly number[] = [CHANNEL_TYPES.text, CHANNEL_TYPES.announcement, ...CHANNEL_TYPES.threads]
  return [...client.channels.cache.values()]
    .flatMap((channel): readonly GapChannel[] => {
      const last = 'lastMessageId' in channel ? channel.lastMessageId : null
      const isYounger = last !== null && last !== undefined && BigInt(last) > BigInt(after)
      const guild = 'guildId' in channel ? channel.guildId : undefined
      return isYounger && types.includes(channel.type)
        ? [{ id: channel.id, guild: guild ?? undefined, type: channel.type, last }]
        : []
    })
    .sort((one, other) => (BigInt(one.last) > BigInt(other.last) ? -1 : 1))
}

function directOnes(channels: Iterable<string>, after: string): readonly GapChannel[] {
  return [...channels].map(id => ({ id, guild: undefined, type: CHANNEL_TYPES.direct, last: after }))
}

/** Fetches a channel's messages after the id `since`. Adds the server and the channel type, because REST does not return them. */
async function messagesAfter(rest: REST, channel: GapChannel, since: string, signal: AbortSignal): Promise<readonly unknown[]> {
  const found: unknown[] = []
  let after = since
  for (let page = 0; page < DISCORD_LIMITS.gapPages; page += 1) {
    const query = new URLSearchParams({ limit: String(DISCORD_LIMITS.messagesPage), after })
    const messages = pageSchema.parse(await rest.get(Routes.channelMessages(channel.id), { query, signal })).toReversed()
    const where = { channel_type: channel.type, ...(channel.guild === undefined ? {} : { guild_id: channel.guild }) }
    found.push(...messages.map(message => ({ ...message, ...where })))
    after = messages.at(-1)?.id ?? after
    if (messages.length < DISCORD_LIMITS.messagesPage) break
  }
  return found
}
