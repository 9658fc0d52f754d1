import type { LanguageModel, ModelEvent, ModelRequest } from '../llm/language-model.ts'
import { answerOf } from '../llm/recording-language-model.ts'

/** One completed call of a model. */
export interface TranscribedCall {
  readonly step: string
  readonly subject: string
  readonly messages: ModelRequest['messages']
  /** The answer, with tool calls as text. Null if there was no answer. */
  readonly answer: string | null
  readonly elapsed_ms: number
}

/** Passes each request on to a model, and records the request with its answer when the call is over. */
export class TranscribingLanguageModel implements LanguageModel {
  readonly calls: TranscribedCall[] = []
  readonly #model: LanguageModel

  constructor(model: LanguageModel) {
    this.#model = model
  }

  async *stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent, void> {
    const started = performance.now()
    let answer: string | null = null
    try {
      for await (const event of this.#model.stream(request, signal)) {
        if (event.kind === 'completed') answer = answerOf(event.completion)
        yield event
      }
    } finally {
      const { step, subject = '', messages } = request
      this.calls.push({ step, subject, messages, answer, elapsed_ms: Math.round(performance.now() - started) })
    }
  }
}
