import type { ChatMessage, ChatPlace } from './chat-event.ts'

/** A question that somebody asked a while ago. */
export interface RecentQuestion {
  readonly text: string
  readonly place: ChatPlace
  readonly messageId: string
}

/** Somebody on one platform, in one of its workspaces. */
export interface ChatPerson {
  readonly platform: ChatPlace['platform']
  readonly workspace: string
  readonly user: string
}

/** What each person asked lately, for that person's own eyes. */
export interface RecentQuestions {
  /** Keeps a question that was accepted; the oldest ones are dropped. */
  remember(message: ChatMessage): Promise<void>
  /** Drops a question that was deleted. */
  forget(person: ChatPerson, messageId: string): Promise<void>
  /** The person's questions, the latest first. */
  of(person: ChatPerson): Promise<readonly RecentQuestion[]>
}
