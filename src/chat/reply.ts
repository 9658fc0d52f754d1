import type { RunResult } from '../agent/run/result.ts'
import type { Picture } from '../charts/picture.ts'
import type { Language } from '../words/language.ts'
import type { ChatAction } from './action.ts'

/**
 * The content of a reply before a platform renders it. All text in a reply may be hostile, so the rendered text must not mention
 * people, link or break the format.
 */
export type Reply =
  | ({ readonly kind: 'progress'; readonly actions?: readonly ChatAction[]; readonly language?: Language } & Progress)
  | Answer
  | ErrorReply
  /**
   * A short new message that mentions the author when a slow answer is ready, because the edit that shows the answer notifies
   * nobody.
   */
  | { readonly kind: 'notification'; readonly author: string; readonly language?: Language }

/** Why there is no answer: a stable code for programs, and a sentence for people. */
export interface ErrorReply {
  readonly kind: 'error'
  readonly code: string
  readonly sentence: string
  readonly actions?: readonly ChatAction[]
}

export interface Progress {
  /** The status line, then one line for each query. */
  readonly lines: readonly string[]
  /** The first rows of the first result, as Markdown. They appear before the answer has any text. */
  readonly table?: string
  /** The checked part of the unfinished answer, as Markdown. It replaces all progress lines except the first. */
  readonly answer?: string
}

export interface Answer {
  readonly kind: 'answer'
  /** The answer as Markdown. It starts with the headline, and may contain tables and [Q1] citations. */
  readonly markdown: string
  /** Small print in Markdown: how reliable the answer is, and an explanation of each cited query. */
  readonly footer?: string
  readonly chart?: Picture
  readonly actions?: readonly ChatAction[]
  /** The whole result, for reports and for destinations that show data instead of text. Absent if the analyst was not asked. */
  readonly result?: RunResult
  /** The language of the words around the answer. Default: English. */
  readonly language?: Language
}

export interface PrivateReply {
  readonly markdown: string
  readonly files?: readonly AttachedFile[]
  readonly actions?: readonly ChatAction[]
}

export interface AttachedFile {
  /** The file's name with its extension. It contains only letters, digits, `-`, `_` and `.`. */
  readonly name: string
  readonly mediaType: string
  readonly content: Uint8Array
}
