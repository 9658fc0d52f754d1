import type { Language } from '../words/language.ts'
import type { ChatInbound, ChatMessage, ChatPlace, ChatPress } from './event.ts'
import type { PrivateReply, Reply } from './reply.ts'

/** The part of a platform that receives events and turns them into messages. It runs in the bots process. */
export interface ChatSurface {
  readonly name: string
  /**
   * Connects, and resolves when the connection is open. Passes each event that may be for Clew to `accept`. Acknowledges the
   * event only after `accept` has returned.
   * @throws ConfigurationError if the tokens do not work
   */
  start(accept: (event: ChatInbound) => Promise<void>, signal: AbortSignal): Promise<void>
  /** Whether the surface is connected. The readiness check asks this. */
  connected(): boolean
  stop(): Promise<void>
}

/** The part of a platform that sends messages. It runs in the workers, uses REST and holds no connection. */
export interface ChatOutbox {
  /** Splits a reply into messages within the platform's limits, without losing text. The first replaces the progress message. */
  render(reply: Reply): Promise<readonly RenderedPart[]>
  /**
   * Draws the part's picture, if it has one. Call this before `post` or `edit`, because drawing may take longer than the time
   * limit of a request.
   */
  prepare?(target: ChatTarget, part: RenderedPart, signal: AbortSignal): Promise<void>
  /**
   * Posts a part into a thread. `find` can later find the post by its `marker`.
   * @throws ChatError
   */
  post(target: ChatTarget, part: RenderedPart, marker: string, signal: AbortSignal): Promise<PostedMessage>
  /**
   * Replaces a posted message. Idempotent.
   * @throws ChatError
   */
  edit(target: ChatTarget, posted: PostedMessage, part: RenderedPart, signal: AbortSignal): Promise<void>
  /**
   * Finds the posts with this marker in the thread, oldest first. Several posts may have the same marker, because a post that was
   * given up can arrive late. A caller must call `find` before it posts a second time.
   * @throws ChatError, `gone` if the thread is gone
   */
  find(target: ChatTarget, marker: string, signal: AbortSignal): Promise<readonly PostedMessage[]>
  /**
   * Removes a post. Does nothing if the post is missing.
   * @throws ChatError
   */
  remove(target: ChatTarget, posted: PostedMessage, signal: AbortSignal): Promise<void>
  /** Looks up an author on the platform. Returns no settings for an unknown author. */
  personOf(place: ChatPlace, author: string, signal: AbortSignal): Promise<PersonSettings>
  /**
   * Shows a private reply to the person who pressed.
   * @throws ChatError
   */
  answerPress(press: ChatPress, reply: PrivateReply, signal: AbortSignal): Promise<void>
  /** Shows answers while they are written. Absent if the platform cannot do this. */
  readonly streams?: ChatStreams
}

export interface PersonSettings {
  /** The IANA name of the person's time zone. */
  readonly timeZone?: string
  /** The language that the person has set on the platform. */
  readonly language?: Language
}

/**
 * Shows messages while they are written. A stream cannot take back text that it has shown. It ends by itself after some minutes,
 * and its message becomes an ordinary message. Methods throw ChatError.
 */
export interface ChatStreams {
  takes(target: ChatTarget): boolean
  /**
   * Renders the finished parts of an incomplete answer, such as whole paragraphs. Later text does not change them. All of them
   * fit into one message.
   */
  render(answer: string): readonly RenderedPart[]
  /** Starts a stream with a marker, by which `ChatOutbox.find` can later find the message. */
  begin(target: ChatTarget, parts: readonly RenderedPart[], marker: string, signal: AbortSignal): Promise<PostedMessage>
  append(target: ChatTarget, posted: PostedMessage, parts: readonly RenderedPart[], signal: AbortSignal): Promise<void>
  /** Ends a stream. Does nothing if the stream is missing or has ended. */
  end(target: ChatTarget, posted: PostedMessage, signal: AbortSignal): Promise<void>
}

/** The place to which a reply goes: a thread. If the reply is private, only the author of the question sees it. */
export type ChatTarget = ChatPlace & Partial<Pick<ChatMessage, 'author' | 'isPrivate' | 'interaction'>>

export function targetOf({ place, author, isPrivate, interaction }: ChatMessage): ChatTarget {
  return {
    ...place,
    author,
    ...(isPrivate === undefined ? {} : { isPrivate }),
    ...(interaction === undefined ? {} : { interaction }),
  }
}

/** A part of a reply in the platform's own form, such as text and blocks for Slack. The queue does not look inside. */
export type RenderedPart = { readonly [key: string]: unknown }

export interface PostedMessage {
  readonly id: string
}
