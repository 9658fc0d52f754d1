import type { ChatMessage, ChatPlace } from './event.ts'

/** A question from a while ago. */
export interface RecentQuestion {
  readonly text: string
  readonly place: ChatPlace
  readonly messageId: string
}

/** A person in one workspace of a platform. */
export interface ChatPerson {
  readonly platform: ChatPlace['platform']
  readonly workspace: string
  readonly user: string
}

/** Each person's recent questions, shown only to that person. */
export interface RecentQuestions {
  /** Adds an accepted question, and drops the oldest. */
  remember(message: ChatMessage): Promise<void>
  /** Drops a deleted question. */
  forget(person: ChatPerson, messageId: string): Promise<void>
  /** The person's questions, latest first. */
  of(person: ChatPerson): Promise<readonly RecentQuestion[]>
}
