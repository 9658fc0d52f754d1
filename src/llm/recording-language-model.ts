import type { LanguageModel, ModelEvent, ModelRequest } from './language-model.ts'
import type { Recording } from './recorded-language-model.ts'

/** Passes everything through to a model and hands out what it answered, to be replayed later. */
export class RecordingLanguageModel implements LanguageModel {
  readonly #model: LanguageModel
  readonly #record: (recording: Recording) => Promise<void>

  constructor(model: LanguageModel, record: (recording: Recording) => Promise<void>) {
    this.#model = model
    this.#record = record
  }

  async *stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent, void> {
    for await (const event of this.#model.stream(request, signal)) {
      if (event.kind === 'completed') {
        await this.#record({ step: request.step, subject: request.subject ?? '', answer: event.completion.text })
      }
      yield event
    }
  }
}
