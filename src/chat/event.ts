import { z } from 'zod'
import { languageSchema } from '../words/language.ts'
import { pressedActionSchema } from './action.ts'

/** The place of a conversation: one thread on one surface. */
export const chatPlaceSchema = z.object({
  /** A name of the registry. Lower case, and no key that every object has. */
  platform: z.string().regex(/^(?!constructor$)[a-z]{2,20}$/),
  /** The workspace's or server's id, or the platform's name for direct messages outside any. */
  workspace: z.string().min(1),
  channel: z.string().min(1),
  /** The platform's id of the thread. */
  thread: z.string().min(1),
  isDirect: z.boolean(),
})
export type ChatPlace = z.infer<typeof chatPlaceSchema>

/** A message that may be for Clew, as the queue stores it. */
export const chatMessageSchema = z.object({
  place: chatPlaceSchema,
  /** Unique in its channel, and the same in redeliveries. */
  messageId: z.string().min(1),
  /** The order within a thread: Unix time in microseconds, which fits a double exactly. */
  order: z.number().int().positive(),
  author: z.string().min(1),
  /** Plain text without markup and without the bot's mention. */
  text: z.string(),
  /** Mentions the bot or is direct. Other replies are answered only in threads that the bot was called into. */
  addressed: z.boolean(),
  /** The run that this message resumes, by a choice or a retry. */
  resumes: pressedActionSchema.optional(),
  /** The press behind this message. Times cannot tell simultaneous presses apart. */
  pressId: z.string().optional(),
  /** Only the author sees the answer. */
  isPrivate: z.boolean().optional(),
  /** The thread to continue, for a message under a private answer that came from another place. */
  continues: chatPlaceSchema.optional(),
  /** The thread for sharing a private answer, if it differs from `thread`. */
  publicThread: z.string().min(1).optional(),
  /** The author's language, if the platform sends it along. */
  language: languageSchema.optional(),
  /** The platform's tokens for answering an interaction such as a slash command. They expire and are never logged. */
  interaction: z.record(z.string(), z.string()).optional(),
})
export type ChatMessage = z.infer<typeof chatMessageSchema>

/** A pressed button, as the queue stores it. */
export const chatPressSchema = z.object({
  place: chatPlaceSchema,
  /** The same in redeliveries. */
  pressId: z.string().min(1),
  /** Unix time in microseconds. */
  order: z.number().int().positive(),
  user: z.string().min(1),
  pressed: pressedActionSchema,
  /** The message with the button. */
  messageId: z.string().min(1),
  /** The person's text, e.g. why an answer was not helpful. It comes as a second press. */
  text: z.string().optional(),
  /** The person's language, if the platform tells it. */
  language: languageSchema.optional(),
  /** The platform's tokens for a private reply. They expire and are never logged. */
  interaction: z.record(z.string(), z.string()),
})
export type ChatPress = z.infer<typeof chatPressSchema>

/** A platform's event in Clew's terms. */
export type ChatInbound =
  | { readonly kind: 'message'; readonly message: ChatMessage }
  | { readonly kind: 'press'; readonly press: ChatPress }
  /** The author or a moderator deleted a message, so a question with this id is no longer answered. */
  | {
      readonly kind: 'deletion'
      readonly place: Omit<ChatPlace, 'thread' | 'isDirect'>
      readonly messageId: string
      readonly author?: string
    }

/** `unsupported` covers everything that is not for Clew, with the reason for the log. */
export type ChatEvent = ChatInbound | { readonly kind: 'unsupported'; readonly reason: string }
