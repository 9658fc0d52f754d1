import type { LanguageModel, ModelCompletion, ModelEvent, ModelRequest } from './language-model.ts'
import type { Recording } from './recorded-language-model.ts'

/** Passes all requests to another model. Gives each answer to `record`, so that it can be replayed later. */
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

/** Writes an answer as text, with its tool calls in a form that `toolCallsInText` can read. */
export function answerOf({ text, toolCalls = [] }: ModelCompletion): string {
  if (toolCalls.length === 0) return text
  const calls = toolCalls.map(({ name, arguments: given }) => ({ name, arguments: given }))
  return [text, JSON.stringify({ tool_calls: calls })].filter(part => part !== '').join('\n')
}
