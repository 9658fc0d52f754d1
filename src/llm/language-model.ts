import type { AnswerBudget } from './answer-budget.ts'
import type { ModelStep } from './step.ts'

/** The interface of a model. Each call streams one completion. Implementations take care of retries and timeouts. */
export interface LanguageModel {
  /**
   * Streams one completion: pieces of `text`, then one `completed`. If the request is repeated after some text was yielded,
   * yields `restarted`, and the caller must discard that text.
   * @throws ModelError; after an abort, its kind is `cancelled`
   */
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>
}

export interface ModelRequest {
  readonly step: ModelStep
  /**
   * The subject of the call: the user's question, or the data question of a single query. Traces show it, and recorded answers
   * are looked up by it.
   */
  readonly subject?: string
  readonly messages: readonly ModelMessage[]
  /** The JSON schema of the answer. Absent: the answer is free text. */
  readonly jsonSchema?: Readonly<Record<string, unknown>>
  /** The tools that the model may call. The model may also answer without a call. */
  readonly tools?: readonly ModelTool[]
  /** `none`: the model must answer in words, even if earlier messages contain tool calls. */
  readonly toolChoice?: 'auto' | 'none'
  readonly temperature?: number
  /** Counts the requests and tokens of one answer, which may take several calls. Default: a new count for this call. */
  readonly budget?: AnswerBudget
  /** Told when the call waits because the endpoint is overloaded, and when it goes on. */
  readonly onBusy?: (isBusy: boolean) => void
}

export type ModelMessage =
  | { readonly role: 'system' | 'user'; readonly content: string }
  | { readonly role: 'assistant'; readonly content: string; readonly toolCalls?: readonly ModelToolCall[] }
  /** The result of a tool that the model called in an earlier message. */
  | { readonly role: 'tool'; readonly callId: string; readonly content: string }

export interface ModelTool {
  readonly name: string
  readonly description: string
  /** The JSON schema of the tool's arguments, which are an object. */
  readonly parameters: Readonly<Record<string, unknown>>
}

/** A tool call that the model wrote. The name may be unknown, and the arguments may be invalid. */
export interface ModelToolCall {
  readonly id: string
  readonly name: string
  /** The arguments as JSON text, exactly as the model wrote them. */
  readonly arguments: string
}

export type ModelEvent =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'restarted' }
  | { readonly kind: 'completed'; readonly completion: ModelCompletion }

export interface ModelCompletion {
  /** The text of the answer. Empty only if the model called tools instead of answering. */
  readonly text: string
  readonly toolCalls?: readonly ModelToolCall[]
}
