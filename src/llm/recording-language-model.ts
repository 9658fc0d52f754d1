import type { LanguageModel, ModelCompletion, ModelEvent, ModelRequest } from './language-model.ts'
import { RecordedLanguageModel, type Recording } from './recorded-language-model.ts'

/**
 * Passes requests to another model. Gives each answer to `record`, so that it can be replayed later. A request that is asked a
 * second time gets its first answer, as it will in the replay: what follows must fit the answers that are replayed.
 */
export class RecordingLanguageModel implements LanguageModel {
  readonly #model: LanguageModel
  readonly #record: (recording: Recording) => Promise<void>
  readonly #recorded: Recording[] = []

  constructor(model: LanguageModel, record: (recording: Recording) => Promise<void>) {
    this.#model = model
    this.#record = record
  }

  async *stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent, void> {
    const { step, subject = '' } = request
    if (this.#recorded.some(each => each.step === step && each.subject === subject))
      return yield* new RecordedLanguageModel(this.#recorded).stream(request, signal)
    for await (const event of this.#model.stream(request, signal)) {
      if (event.kind === 'completed') {
        const recording = { step, subject, answer: answerOf(event.completion) }
        this.#recorded.push(recording)
        await this.#record(recording)
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
