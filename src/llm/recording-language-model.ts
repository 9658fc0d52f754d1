import type { LanguageModel, ModelCompletion, ModelEvent, ModelRequest } from './language-model.ts'
import type { Recording } from './recorded-language-model.ts'

/** Passes all requests to a model and hands out its answers for later replay. */
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
        await this.#record({ step: request.step, subject: request.subject ?? '', answer: answerOf(event.completion) })
      }
      yield event
    }
  }
}

/** Returns an answer as text. Tool calls get the form in which they are found there again. */
export function answerOf({ text, toolCalls = [] }: ModelCompletion): string {
  if (toolCalls.length === 0) return text
  const calls = toolCalls.map(({ name, arguments: given }) => ({ name, arguments: given }))
  return [text, JSON.stringify({ tool_calls: calls })].filter(part => part !== '').join('\n')
}
