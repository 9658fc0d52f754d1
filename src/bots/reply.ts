import type { Picture } from '../agent/picture.ts'
import type { Language } from '../words/language.ts'
import type { ChatAction } from './chat-action.ts'

/** What Clew shows for one message, before a platform renders it. All text is hostile until rendered: it must not ping, link or break the format. */
export type Reply =
  | ({ readonly kind: 'progress'; readonly actions?: readonly ChatAction[]; readonly language?: Language } & Progress)
  | Answer
  | { readonly kind: 'error'; readonly sentence: string; readonly actions?: readonly ChatAction[] }
  /** A short message that mentions the author and nobody else: their answer took long, and edits are silent. */
  | { readonly kind: 'notification'; readonly author: string; readonly language?: Language }

/** How far a run is. */
export interface Progress {
  /** What is being done, then one line for each query. */
  readonly lines: readonly string[]
  /** The first rows of the first result, as Markdown: there before anything is said of them. */
  readonly table?: string
  /** The answer as far as it has been written and checked, as Markdown: shown in the place of all but the first line. */
  readonly answer?: string
}

export interface Answer {
  readonly kind: 'answer'
  /** The headline first; it may hold tables and [Q1] citations. */
  readonly markdown: string
  /** Small print below: how far the answer can be relied on, and what each cited query computes. Markdown. */
  readonly footer?: string
  readonly chart?: Picture
  readonly actions?: readonly ChatAction[]
  /** The language of the words around it; English by default. */
  readonly language?: Language
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
