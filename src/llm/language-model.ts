import type { AnswerBudget } from './answer-budget.ts'
import type { ModelStep } from './model-step.ts'

/** The model port: one streamed completion. Retries, time-outs and fallbacks are the implementation's; callers see their end. */
export interface LanguageModel {
  /**
   * Streams one completion: `text` pieces as they come, then one `completed`. When the request had to be made again after text was
   * released, a `restarted` comes first, and what was released before it is void.
   * @throws ModelError, always typed; after an abort its kind is `cancelled`.
   */
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>
}

export interface ModelRequest {
  readonly step: ModelStep
  /** What the call is about (the question, the data question): names it in traces and finds its recording. */
  readonly subject?: string
  readonly messages: readonly ModelMessage[]
  /** The JSON schema the answer must satisfy; without it the answer is text. */
  readonly jsonSchema?: Readonly<Record<string, unknown>>
  /** What the model may call instead of, or before, answering. */
  readonly tools?: readonly ModelTool[]
  /** With `none` it must answer in words, though earlier messages have calls. */
  readonly toolChoice?: 'auto' | 'none'
  readonly temperature?: number
  /** The budget of the answer that this call is for; the call adds what it spends. Without one it has its own. */
  readonly budget?: AnswerBudget
}

export type ModelMessage =
  | { readonly role: 'system' | 'user'; readonly content: string }
  | { readonly role: 'assistant'; readonly content: string; readonly toolCalls?: readonly ModelToolCall[] }
  /** What a tool returned to a call of the assistant message before. */
  | { readonly role: 'tool'; readonly callId: string; readonly content: string }

export interface ModelTool {
  readonly name: string
  readonly description: string
  /** JSON schema of its arguments, an object. */
  readonly parameters: Readonly<Record<string, unknown>>
}

/** Written by a model: the name may be none of the tools, the arguments may be anything. */
export interface ModelToolCall {
  readonly id: string
  readonly name: string
  /** JSON text, as it came. */
  readonly arguments: string
}

export type ModelEvent =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'restarted' }
  | { readonly kind: 'completed'; readonly completion: ModelCompletion }

export interface ModelCompletion {
  /** Empty only where the model called tools instead. */
  readonly text: string
  readonly toolCalls?: readonly ModelToolCall[]
}
