import { z } from 'zod'
import { languageSchema } from '../words/language.ts'
import { pressedActionSchema } from './chat-action.ts'

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
  /** The run that this takes up again: the choice that its asker made, or a retry. */
  resumes: pressedActionSchema.optional(),
  /** The press that it was made by; times do not tell two of them apart that come at once. */
  pressId: z.string().optional(),
  /** Asked where the platform lets only the author see the answer. */
  isPrivate: z.boolean().optional(),
  /** It was written under a private answer, elsewhere than where that was asked for: the thread whose conversation it goes on with. */
  continues: chatPlaceSchema.optional(),
  /** Where the answer to a private question may be shown to all, if that is not its own thread. */
  publicThread: z.string().min(1).optional(),
  /** The author's language, where the platform tells it with the message. */
  language: languageSchema.optional(),
  /** What the platform needs to answer an interaction (a slash command): its own tokens, which expire. Never logged. */
  interaction: z.record(z.string(), z.string()).optional(),
})
export type ChatMessage = z.infer<typeof chatMessageSchema>

/** A button that somebody pressed, as the queue stores it. */
export const chatPressSchema = z.object({
  place: chatPlaceSchema,
  /** The platform's id of the press: what redeliveries share. */
  pressId: z.string().min(1),
  /** Unix time in microseconds. */
  order: z.number().int().positive(),
  user: z.string().min(1),
  pressed: pressedActionSchema,
  /** The message that has the button. */
  messageId: z.string().min(1),
  /** What the person wrote with it: why an answer was not helpful, which is asked when the press has been taken and comes as a press of its own. */
  text: z.string().optional(),
  /** The language of whoever pressed, where the platform tells. */
  language: languageSchema.optional(),
  /** What the platform needs to answer the person alone: its own tokens, which expire. Never logged. */
  interaction: z.record(z.string(), z.string()),
})
export type ChatPress = z.infer<typeof chatPressSchema>

/** What a platform's raw event means to Clew. */
export type ChatInbound =
  | { readonly kind: 'message'; readonly message: ChatMessage }
  | { readonly kind: 'press'; readonly press: ChatPress }
  /** A message was deleted by its author or a moderator: a question of that id is not answered any more. */
  | {
      readonly kind: 'deletion'
      readonly place: Omit<ChatPlace, 'thread' | 'isDirect'>
      readonly messageId: string
      /** Who had written it, where the platform tells. */
      readonly author?: string
    }

/** Whatever is not ours is `unsupported`, with the reason for the log. */
export type ChatEvent = ChatInbound | { readonly kind: 'unsupported'; readonly reason: string }
