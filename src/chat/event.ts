import { z } from 'zod'
import { languageSchema } from '../words/language.ts'
import { pressedActionSchema } from './action.ts'

/** The place of a conversation: one thread of one platform. */
export const chatPlaceSchema = z.object({
  /**
   * The platform's name in the registry, in lower case. The name `constructor` is refused, because a look-up in any object finds
   * a property of this name.
   */
  platform: z.string().regex(/^(?!constructor$)[a-z]{2,20}$/),
  /** The id of the workspace or server. For direct messages outside all workspaces, the name of the platform. */
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
  /** The platform's id of the message. It is unique in its channel, and the same in every delivery. */
  messageId: z.string().min(1),
  /**
   * The time of the message, as Unix time in microseconds. A thread's messages are sorted by it. A JavaScript number holds it
   * exactly.
   */
  order: z.number().int().positive(),
  author: z.string().min(1),
  /** The message as plain text, without markup and without mentions of the bot. */
  text: z.string(),
  /**
   * Whether the message mentions the bot or is direct. Other replies get an answer only if the bot was mentioned in their thread
   * before.
   */
  addressed: z.boolean(),
  /** Set if this message stands for a press on a choice or on "Retry". The message resumes the run of that button. */
  resumes: pressedActionSchema.optional(),
  /** The id of the press that caused this message. If two people press at once, it shows which press was accepted. */
  pressId: z.string().optional(),
  /** Whether only the author sees the answer. */
  isPrivate: z.boolean().optional(),
  /**
   * The thread whose conversation this message continues. Set if the message replies to a private answer whose question was asked
   * in another thread.
   */
  continues: chatPlaceSchema.optional(),
  /** The thread that gets a private answer when the asker shares it. If absent, the answer goes to `place.thread`. */
  publicThread: z.string().min(1).optional(),
  /** The author's language, if the platform sends it with the message. */
  language: languageSchema.optional(),
  /**
   * Set if nobody wrote the message: it stands for a due run of a subscription, and its author is the subscription's owner. `at` is
   * the due time, in Unix milliseconds.
   */
  due: z.object({ subscription: z.string(), at: z.number().int() }).optional(),
  /** The platform's tokens for answering an interaction such as a slash command. They expire and are never logged. */
  interaction: z.record(z.string(), z.string()).optional(),
})
export type ChatMessage = z.infer<typeof chatMessageSchema>

/** A press on a button, as the queue stores it. */
export const chatPressSchema = z.object({
  place: chatPlaceSchema,
  /** The platform's id of the press. It is the same in every delivery. */
  pressId: z.string().min(1),
  /** The time of the press as Unix time in microseconds. */
  order: z.number().int().positive(),
  user: z.string().min(1),
  pressed: pressedActionSchema,
  /** The id of the message that has the button. */
  messageId: z.string().min(1),
  /** The person's text, such as why an answer was not helpful. A press with a text follows the press that opened the form. */
  text: z.string().optional(),
  /** The person's language, if the platform sends it with the press. */
  language: languageSchema.optional(),
  /** The platform's tokens for a private reply. They expire and are never logged. */
  interaction: z.record(z.string(), z.string()),
})
export type ChatPress = z.infer<typeof chatPressSchema>

/** An event in the same form for all platforms. */
export type ChatInbound =
  | { readonly kind: 'message'; readonly message: ChatMessage }
  | { readonly kind: 'press'; readonly press: ChatPress }
  /** The author or a moderator has deleted a message. If it was a question, it gets no answer. */
  | {
      readonly kind: 'deletion'
      readonly place: Omit<ChatPlace, 'thread' | 'isDirect'>
      readonly messageId: string
      readonly author?: string
    }

/** An event of a platform. If it is not for Clew, it is `unsupported`, with a reason for the log. */
export type ChatEvent = ChatInbound | { readonly kind: 'unsupported'; readonly reason: string }
