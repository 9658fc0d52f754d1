import { ModelError } from './error.ts'
import type { LanguageModel, ModelCompletion, ModelRequest } from './language-model.ts'

/** Receives a text as it is written. */
export interface TextListener {
  onText(text: string): void
  /** The text begins again. Discard what came before. */
  onRestart(): void
}

/**
 * Asks for a text (synthesize, respond, summarize) and returns it whole: never empty or cut off. The listener receives it while it comes.
 * @throws ModelError, the model's own
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
