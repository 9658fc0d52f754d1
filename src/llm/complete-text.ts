import type { LanguageModel, ModelCompletion, ModelRequest } from './language-model.ts'
import { ModelError } from './model-error.ts'

/** Hears a text as it is written. */
export interface TextListener {
  onText(text: string): void
  /** The text began anew: what came before is void. */
  onRestart(): void
}

/**
 * Asks for a text (synthesize, respond, summarize) and returns it whole: never empty, never cut off. The listener hears it as it comes.
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
