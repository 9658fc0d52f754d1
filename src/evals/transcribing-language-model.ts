import type { LanguageModel, ModelEvent, ModelRequest } from '../llm/language-model.ts'
import { answerOf } from '../llm/recording-language-model.ts'

/** One call of a model, whole. */
export interface TranscribedCall {
  readonly step: string
  readonly subject: string
  readonly messages: ModelRequest['messages']
  /** What it answered; calls of tools as text. Null where it did not answer. */
  readonly answer: string | null
  readonly elapsed_ms: number
}

/** Passes everything through to a model and keeps what was asked and answered, in the order in which it ended. */
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
