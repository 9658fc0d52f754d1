import type { Language } from '../words/language.ts'
import type { ChatInbound, ChatMessage, ChatPlace, ChatPress } from './event.ts'
import type { PrivateReply, Reply } from './reply.ts'

/** A platform's incoming half, in the bots process: a connection that turns events into messages. */
export interface ChatSurface {
  readonly name: string
  /**
   * Connects and passes possible messages to `accept`. It acknowledges each only after `accept` has returned, and resolves once
   * connected. @throws ConfigurationError if the tokens do not work
   */
  start(accept: (event: ChatInbound) => Promise<void>, signal: AbortSignal): Promise<void>
  /** For readiness. */
  connected(): boolean
  stop(): Promise<void>
}

/** A platform's outgoing half, in the workers: REST only, without a connection. */
export interface ChatOutbox {
  /** Splits a reply into parts that fit the platform, without losing text. Part 1 replaces the placeholder. */
  render(reply: Reply): readonly RenderedPart[]
  /** Posts a part into a thread under a marker for `find`. @throws ChatError */
  post(target: ChatTarget, part: RenderedPart, marker: string, signal: AbortSignal): Promise<PostedMessage>
  /** Replaces a posted message. Idempotent. @throws ChatError */
  edit(target: ChatTarget, posted: PostedMessage, part: RenderedPart, signal: AbortSignal): Promise<void>
  /**
   * The posts in the thread with this marker, oldest first. There may be several, because an abandoned post can arrive late. Must
   * be called before a second post. @throws ChatError, `gone` if the thread is gone
   */
  find(target: ChatTarget, marker: string, signal: AbortSignal): Promise<readonly PostedMessage[]>
  /** Removes a post; a missing one is no error. @throws ChatError */
  remove(target: ChatTarget, posted: PostedMessage, signal: AbortSignal): Promise<void>
  /** Looks up an author on the platform. Never throws for an unknown user. */
  personOf(place: ChatPlace, author: string, signal: AbortSignal): Promise<PersonSettings>
  /** Shows a private reply to the person who pressed. @throws ChatError */
  answerPress(press: ChatPress, reply: PrivateReply, signal: AbortSignal): Promise<void>
  /** Absent if the platform has no streams. */
  readonly streams?: ChatStreams
}

export interface PersonSettings {
  /** IANA name. */
  readonly timeZone?: string
  /** The person's language setting on the platform. */
  readonly language?: Language
}

/**
 * Messages that appear while they are written. A stream can only grow, and ends by itself after some minutes. Afterwards it is an
 * ordinary message. Methods throw ChatError.
 */
export interface ChatStreams {
  /** Whether a stream may start there. */
  takes(target: ChatTarget): boolean
  /** The complete parts of an unfinished answer, which later text does not change. Limited to one message. */
  render(answer: string): readonly RenderedPart[]
  /** Starts a stream under a marker for `find`. */
  begin(target: ChatTarget, parts: readonly RenderedPart[], marker: string, signal: AbortSignal): Promise<PostedMessage>
  append(target: ChatTarget, posted: PostedMessage, parts: readonly RenderedPart[], signal: AbortSignal): Promise<void>
  /** Ends a stream. A missing or ended one is no error. */
  end(target: ChatTarget, posted: PostedMessage, signal: AbortSignal): Promise<void>
}

/** The target of a reply: the thread or, for a private reply, the author alone. */
export type ChatTarget = ChatPlace & Partial<Pick<ChatMessage, 'author' | 'isPrivate' | 'interaction'>>

export function targetOf({ place, author, isPrivate, interaction }: ChatMessage): ChatTarget {
  return {
    ...place,
    author,
    ...(isPrivate === undefined ? {} : { isPrivate }),
    ...(interaction === undefined ? {} : { interaction }),
  }
}

/** A platform's own payload (Slack: text and blocks), which the queue stores without reading. */
export type RenderedPart = { readonly [key: string]: unknown }

export interface PostedMessage {
  readonly id: string
}
