import type { AnswerBudget } from './answer-budget.ts'
import type { ModelStep } from './step.ts'

/** The port of a model. It streams one completion. Implementations handle retries, timeouts and fallbacks. */
export interface LanguageModel {
  /**
   * Streams one completion: pieces of `text`, then one `completed`. If the request is repeated after text was released, `restarted` means that this
   * text no longer counts.
   * @throws ModelError; after an abort, its kind is `cancelled`
   */
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>
}

export interface ModelRequest {
  readonly step: ModelStep
  /** The subject of the call: the question or the data question. Traces show it, and a recording is found by it. */
  readonly subject?: string
  readonly messages: readonly ModelMessage[]
  /** The JSON schema of the answer. Absent: the answer is text. */
  readonly jsonSchema?: Readonly<Record<string, unknown>>
  /** Tools that the model may call before or instead of an answer. */
  readonly tools?: readonly ModelTool[]
  /** With `none`, the model must answer in words, even if earlier messages contain calls. */
  readonly toolChoice?: 'auto' | 'none'
  readonly temperature?: number
  /** The budget of the answer to which this call belongs. The call's tokens count towards it. Default: a new budget. */
  readonly budget?: AnswerBudget
}

export type ModelMessage =
  | { readonly role: 'system' | 'user'; readonly content: string }
  | { readonly role: 'assistant'; readonly content: string; readonly toolCalls?: readonly ModelToolCall[] }
  /** The result of a tool that the assistant called in the message before. */
  | { readonly role: 'tool'; readonly callId: string; readonly content: string }

export interface ModelTool {
  readonly name: string
  readonly description: string
  /** The JSON schema of the tool's arguments, which are an object. */
  readonly parameters: Readonly<Record<string, unknown>>
}

/** A tool call, as the model wrote it. The name may be unknown, and the arguments may be invalid. */
export interface ModelToolCall {
  readonly id: string
  readonly name: string
  /** The arguments as JSON text, as received. */
  readonly arguments: string
}

export type ModelEvent =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'restarted' }
  | { readonly kind: 'completed'; readonly completion: ModelCompletion }

export interface ModelCompletion {
  /** The answer's text. Empty only if the model called tools instead. */
  readonly text: string
  readonly toolCalls?: readonly ModelToolCall[]
}
