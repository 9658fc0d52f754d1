import type { Chart } from '../agent/chart.ts'
import type { ChatAction } from './chat-action.ts'

/** What Clew shows for one message, before a platform renders it. All text is hostile until rendered: it must not ping, link or break the format. */
export type Reply =
  | { readonly kind: 'progress'; readonly lines: readonly string[]; readonly actions?: readonly ChatAction[] }
  | Answer
  | { readonly kind: 'error'; readonly sentence: string; readonly actions?: readonly ChatAction[] }
  /** A short message that mentions the author and nobody else: their answer took long, and edits are silent. */
  | { readonly kind: 'notification'; readonly author: string }

export interface Answer {
  readonly kind: 'answer'
  /** The headline first; it may hold tables and [Q1] citations. */
  readonly markdown: string
  /** Small print below: how far the answer can be relied on, and what each cited query computes. Markdown. */
  readonly footer?: string
  readonly chart?: Chart
  readonly actions?: readonly ChatAction[]
}

/** What somebody alone is shown for a press. */
export interface PrivateReply {
  readonly markdown: string
  readonly files?: readonly AttachedFile[]
  readonly actions?: readonly ChatAction[]
}

export interface AttachedFile {
  /** With its extension; letters, digits, `-`, `_` and `.` only. */
  readonly name: string
  readonly mediaType: string
  readonly content: Uint8Array
}
