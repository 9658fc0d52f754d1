import type { ChatMessage, ChatPlace } from './event.ts'

/** A question that a person asked before. */
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

/** Keeps each person's recent questions. Only that person sees them. */
export interface RecentQuestions {
  /** Adds an accepted question. Removes the oldest one if there are too many. */
  remember(message: ChatMessage): Promise<void>
  /** Removes a question that its author has deleted. */
  forget(person: ChatPerson, messageId: string): Promise<void>
  /** Returns the person's questions, latest first. */
  of(person: ChatPerson): Promise<readonly RecentQuestion[]>
}
