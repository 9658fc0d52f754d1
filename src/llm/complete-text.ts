import { ModelError } from './error.ts'
import type { LanguageModel, ModelCompletion, ModelRequest } from './language-model.ts'

/** Receives a text while the model writes it. */
export interface TextListener {
  onText(text: string): void
  /** The model starts the text again. The listener must discard the text that it has received so far. */
  onRestart(): void
}

/**
 * Asks the model for a text (steps synthesize, respond, summarize). Returns the whole text, which is never empty or cut off. The
 * listener receives the text while it arrives.
 * @throws the ModelError of `model`
 */
export async function completeText(
  model: LanguageModel,
  request: Omit<ModelRequest, 'jsonSchema'>,
  signal: AbortSignal,
  listener?: TextListener,
): Promise<ModelCompletion> {
  for await (const event of model.stream(request, signal)) {
    if (event.kind === 'completed') return event.completion
    if (event.kind === 'restarted') listener?.onRestart()
    else listener?.onText(event.text)
  }
  throw new ModelError('The model ended without an answer.', { kind: 'unavailable' })
}
