import type { AnswerBudget } from './answer-budget.ts'
import type { ModelStep } from './step.ts'

/** The model port: one streamed completion. Implementations handle retries, timeouts and fallbacks. */
export interface LanguageModel {
  /**
   * Streams one completion: pieces of `text`, then one `completed`. If text was released and the request had to be repeated, `restarted` voids that
   * text.
   * @throws ModelError; after an abort its kind is `cancelled`
   */
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>
}

export interface ModelRequest {
  readonly step: ModelStep
  /** The subject of the call (the question, the data question). It names the call in traces and finds its recording. */
  readonly subject?: string
  readonly messages: readonly ModelMessage[]
  /** The JSON schema of the answer. Without it the answer is text. */
  readonly jsonSchema?: Readonly<Record<string, unknown>>
  /** Tools that the model may call before or instead of an answer. */
  readonly tools?: readonly ModelTool[]
  /** With `none` it must answer in words, even if earlier messages contain calls. */
  readonly toolChoice?: 'auto' | 'none'
  readonly temperature?: number
  /** The budget of this call's answer, which the call charges. Default: one of its own. */
  readonly budget?: AnswerBudget
}

export type ModelMessage =
  | { readonly role: 'system' | 'user'; readonly content: string }
  | { readonly role: 'assistant'; readonly content: string; readonly toolCalls?: readonly ModelToolCall[] }
  /** A tool's result, for a call in the assistant message before. */
  | { readonly role: 'tool'; readonly callId: string; readonly content: string }

export interface ModelTool {
  readonly name: string
  readonly description: string
  /** JSON schema of its arguments, an object. */
  readonly parameters: Readonly<Record<string, unknown>>
}

/** From a model: the name may be unknown and the arguments invalid. */
export interface ModelToolCall {
  readonly id: string
  readonly name: string
  /** The JSON text as received. */
  readonly arguments: string
}

export type ModelEvent =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'restarted' }
  | { readonly kind: 'completed'; readonly completion: ModelCompletion }

export interface ModelCompletion {
  /** Empty only if the model called tools instead. */
  readonly text: string
  readonly toolCalls?: readonly ModelToolCall[]
}
