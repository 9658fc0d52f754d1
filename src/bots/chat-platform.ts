import type { Language } from '../words/language.ts'
import type { ChatInbound, ChatMessage, ChatPlace, ChatPress } from './chat-event.ts'
import type { PrivateReply, Reply } from './reply.ts'

/** A platform's incoming half, held by the bots process: a connection that turns events into messages. */
export interface ChatSurface {
  readonly name: string
  /**
   * Connects and hands every event that may be ours to `accept`, acknowledging the platform only when `accept` has returned.
   * Resolves once connected. @throws ConfigurationError when the tokens do not work.
   */
  start(accept: (event: ChatInbound) => Promise<void>, signal: AbortSignal): Promise<void>
  /** Whether the connection stands, for readiness. */
  connected(): boolean
  stop(): Promise<void>
}

/** A platform's outgoing half, held by the workers: REST only, no connection. */
export interface ChatOutbox {
  /** Splits a reply into parts that each fit the platform, losing no text; part 1 takes the placeholder's place. */
  render(reply: Reply): readonly RenderedPart[]
  /** Posts a part into a thread under a marker that `find` can look up. @throws ChatError */
  post(target: ChatTarget, part: RenderedPart, marker: string, signal: AbortSignal): Promise<PostedMessage>
  /** Replaces a posted message; doing it twice shows the same. @throws ChatError */
  edit(target: ChatTarget, posted: PostedMessage, part: RenderedPart, signal: AbortSignal): Promise<void>
  /**
   * What was posted into the thread under this marker, oldest first; more than one where a post arrived that had been given up for lost. Asked before any
   * post is made a second time. @throws ChatError, `gone` where the thread is gone
   */
  find(target: ChatTarget, marker: string, signal: AbortSignal): Promise<readonly PostedMessage[]>
  /** Removes a post; one that is gone already is no failure. @throws ChatError */
  remove(target: ChatTarget, posted: PostedMessage, signal: AbortSignal): Promise<void>
  /** Looks up an author on the platform. Never throws for an unknown user. */
  personOf(place: ChatPlace, author: string, signal: AbortSignal): Promise<ChatPerson>
  /** Shows something to the one who pressed, and to nobody else. @throws ChatError */
  answerPress(press: ChatPress, reply: PrivateReply, signal: AbortSignal): Promise<void>
  /** Absent where the platform has none. */
  readonly streams?: ChatStreams
}

export interface ChatPerson {
  /** IANA name. */
  readonly timeZone?: string
  /** That the person has set the platform to. */
  readonly language?: Language
}

/**
 * Messages that are shown while they are written. One can only grow, and ends by itself after some minutes; when it has ended, it is a message like others,
 * which is edited and removed. Methods throw ChatError.
 */
export interface ChatStreams {
  /** Whether one may be begun there. */
  takes(target: ChatTarget): boolean
  /** What of an answer so far is whole, in parts that stay as they are while the answer grows; as much as one message holds. */
  render(answer: string): readonly RenderedPart[]
  /** Begins one under a marker that `find` can look up. */
  begin(target: ChatTarget, parts: readonly RenderedPart[], marker: string, signal: AbortSignal): Promise<PostedMessage>
  append(target: ChatTarget, posted: PostedMessage, parts: readonly RenderedPart[], signal: AbortSignal): Promise<void>
  /** That it has ended already, or is gone, is no failure. */
  end(target: ChatTarget, posted: PostedMessage, signal: AbortSignal): Promise<void>
}

/** Where a reply goes: into the thread or, where it is private, to the author alone, by what the platform handed over for that. */
export type ChatTarget = ChatPlace & Partial<Pick<ChatMessage, 'author' | 'isPrivate' | 'interaction'>>

export function targetOf({ place, author, isPrivate, interaction }: ChatMessage): ChatTarget {
  return {
    ...place,
    author,
    ...(isPrivate === undefined ? {} : { isPrivate }),
    ...(interaction === undefined ? {} : { interaction }),
  }
}

/** A platform's own payload (Slack: text and blocks); opaque to the queue, which only stores and hands it back. */
export type RenderedPart = { readonly [key: string]: unknown }

export interface PostedMessage {
  readonly id: string
}
