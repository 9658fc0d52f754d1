import { z } from 'zod'

/** Where a conversation takes place: one thread on one surface. */
export const chatPlaceSchema = z.object({
  platform: z.enum(['slack', 'discord']),
  /** Slack's team id, Discord's guild id, or the platform's name for direct messages without one. */
  workspace: z.string().min(1),
  channel: z.string().min(1),
  /** Slack: the thread's ts. Discord: the thread's channel id. */
  thread: z.string().min(1),
  isDirect: z.boolean(),
})
export type ChatPlace = z.infer<typeof chatPlaceSchema>

/** A message addressed to Clew (or that may be: a reply in a thread), as the queue stores it. */
export const chatMessageSchema = z.object({
  place: chatPlaceSchema,
  /** The platform's id of the message; unique in its channel, and what redeliveries share. */
  messageId: z.string().min(1),
  /** Orders the messages of a thread: Unix time in microseconds (fits a double exactly). */
  order: z.number().int().positive(),
  author: z.string().min(1),
  /** The text without the mention of the bot, platform markup turned into plain text. */
  text: z.string(),
  /** Mentioned or direct; a plain reply in a thread is answered only where the bot was called in. */
  addressed: z.boolean(),
})
export type ChatMessage = z.infer<typeof chatMessageSchema>

/** What a platform's raw event means to Clew. Whatever is not ours is `unsupported`, with the reason for the log. */
export type ChatEvent =
  | { readonly kind: 'message'; readonly message: ChatMessage }
  | { readonly kind: 'unsupported'; readonly reason: string }
