import { Routes } from 'discord.js'
import { z } from 'zod'
import { ChatError } from '../../../chat/error.ts'
import type { ChatPlace } from '../../../chat/event.ts'
import { cutText } from '../../shared/shown-text.ts'
import { refusalCode } from '../error.ts'
import { DISCORD_LIMITS } from '../limits.ts'
import { readResponse } from '../response.ts'
import type { CallDiscord } from '../rest.ts'
import { plainTextOf } from '../text.ts'

const UNKNOWN_CHANNEL = 10_003
const ALREADY_CREATED = 160_004

const sourceSchema = z.object({
  content: z.string().default(''),
  author: z.object({ id: z.string() }).optional(),
  mentions: z
    .array(z.object({ id: z.string(), username: z.string(), global_name: z.string().nullish(), bot: z.boolean().optional() }))
    .default([]),
})

/**
 * Makes a call in a thread, and creates the thread if it is missing. A thread has the same id as the message that starts it, so
 * its id is known before it exists.
 * @throws ChatError
 */
export async function inThread<T>(call: CallDiscord, place: ChatPlace, work: () => Promise<T>, signal: AbortSignal): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (refusalCode(error) !== UNKNOWN_CHANNEL || place.isDirect || place.thread === place.channel) throw error
    await startThread(call, place, signal)
    return work()
  }
}

async function startThread(call: CallDiscord, { channel, thread }: ChatPlace, signal: AbortSignal): Promise<void> {
  const source = readResponse(sourceSchema, await fetchSource(call, channel, thread, signal))
  const body = { name: threadName(source), auto_archive_duration: DISCORD_LIMITS.threadArchiveMinutes }
  try {
    await call(signal, (rest, signal) => rest.post(Routes.threads(channel, thread), { body, signal }))
  } catch (error) {
    // Another process may have just created the thread. Then there is nothing left to do.
    if (!(error instanceof ChatError) || refusalCode(error) !== ALREADY_CREATED) throw error
  }
}

async function fetchSource(call: CallDiscord, channel: string, message: string, signal: AbortSignal): Promise<unknown> {
  try {
    return await call(signal, (rest, signal) => rest.get(Routes.channelMessage(channel, message), { signal }))
  } catch (error) {
    if (!(error instanceof ChatError) || error.kind !== 'removed') throw error
    throw new ChatError('The message that the thread would start at is gone.', { kind: 'gone', cause: error })
  }
}

/**
 * Makes a thread's name from its question. If the question has no text, the name is "Question". This happens if Discord hides
 * texts that do not mention the bot.
 */
function threadName({ content, mentions }: z.infer<typeof sourceSchema>): string {
  const bots = new Set(mentions.filter(user => user.bot === true).map(user => user.id))
  const users = new Map(mentions.map(user => [user.id, user.global_name ?? user.username]))
  const text = plainTextOf(content, bots, { users, channel: () => undefined })
    .replace(/[*_`~|>#\\]/g, '')
    .replace(/\s+/g, ' ')
    .trim()
  return cutText(text, DISCORD_LIMITS.threadName) || 'Question'
}
