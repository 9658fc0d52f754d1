import { fenceData } from '../llm/data-fence.ts'
import { ModelError } from '../llm/model-error.ts'
import { askForText } from './ask-model.ts'
import type { UnitVerdict } from './citations/citation-checker.ts'
import type { StepContext } from './run-context.ts'

/**
 * Has one sentence of an answer written again, naming what its rows do not support.
 * @returns undefined when no model could do it: the sentence is then marked, and the answer goes out
 * @throws ModelError of kind `cancelled` only
 */
export async function rewrite(
  context: StepContext,
  options: {
    readonly sentence: string
    readonly problems: UnitVerdict['problems']
    readonly attempt: number
    /** As the writer of the answer was shown them. */
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
