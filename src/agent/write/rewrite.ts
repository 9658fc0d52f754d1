import type { UnitVerdict } from '../../answer-check/citation-checker.ts'
import { fenceData } from '../../llm/data-fence.ts'
import { ModelError } from '../../llm/error.ts'
import { askForText } from '../run/ask-model.ts'
import type { ModelContext } from '../run/context.ts'

/**
 * Has a sentence rewritten, with a list of its unsupported parts.
 * @returns undefined if no model could do it; the sentence is then marked
 * @throws ModelError of kind `cancelled` only
 */
export async function rewrite(
  context: ModelContext,
  options: {
    readonly sentence: string
    readonly problems: UnitVerdict['problems']
    readonly attempt: number
    /** As shown to the answer's writer. */
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
