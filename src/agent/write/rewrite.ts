import type { UnitVerdict } from '../../answer-check/citation-checker.ts'
import { fenceData } from '../../llm/data-fence.ts'
import { ModelError } from '../../llm/error.ts'
import { askForText } from '../run/ask-model.ts'
import type { ModelContext } from '../run/context.ts'

/**
 * Has a model rewrite a sentence. The model gets the list of the sentence's unsupported parts.
 * @returns undefined if no model could rewrite the sentence
 * @throws ModelError of kind `cancelled` only
 */
export async function rewrite(
  context: ModelContext,
  options: {
    readonly sentence: string
    readonly problems: UnitVerdict['problems']
    readonly attempt: number
    /** The results, as the model saw them when it wrote the answer. */
    readonly results: string
  },
  signal: AbortSignal,
): Promise<string | undefined> {
  const { sentence, problems, attempt, results } = options
  try {
    return await askForText(
      context,
      {
        step: 'rewrite',
        attempt,
        subject: sentence,
        input: { sentence, problems },
        values: {
          results,
          sentence: fenceData('sentence', sentence),
          problems: fenceData('problems', problems.map(problem => `- ${problem.reason}`).join('\n')),
        },
      },
      signal,
    )
  } catch (error) {
    if (!(error instanceof ModelError) || error.kind === 'cancelled') throw error
    return undefined
  }
}
