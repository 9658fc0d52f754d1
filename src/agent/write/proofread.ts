import { z } from 'zod'
import { type FigureSource, sourceLines } from '../../answer-check/workings/figure-source.ts'
import { errorMessage } from '../../base/errors.ts'
import { fenceData } from '../../llm/data-fence.ts'
import { ModelError } from '../../llm/error.ts'
import { shortRemark } from '../notes/short-remark.ts'
import { askForJson } from '../run/ask-model.ts'
import type { ModelContext } from '../run/context.ts'
import { questionPrompt } from '../understand/question-prompt.ts'
import type { WrongLine } from './checked-answer.ts'

const outputSchema = z.object({
  wrong: z.array(z.object({ line: z.number().int().min(1), why: z.string().min(1) })),
})

/**
 * Has a model read an answer whose figures a program has checked, and returns the lines whose words do not follow from the
 * results. Undefined if no model can read it in time.
 * @throws ModelError of kind `cancelled`, or the signal's reason
 */
export async function proofread(
  context: ModelContext,
  options: {
    readonly question: string
    /** The lines of the answer, as people see them. */
    readonly lines: readonly string[]
    readonly figures: readonly FigureSource[]
    /** The results, as the model saw them when it wrote the answer. */
    readonly results: string
    readonly timeoutMs: number
  },
  signal: AbortSignal,
): Promise<readonly WrongLine[] | undefined> {
  const { question, lines, figures, results, timeoutMs } = options
  const { offTheClock = work => work } = context
  const limit = AbortSignal.timeout(timeoutMs)
  try {
    const asking = askForJson(
      context,
      {
        step: 'proofread',
        subject: question,
        input: { lines, results },
        values: {
          question: questionPrompt(question),
          results,
          answer: fenceData('answer', lines.map((line, at) => `${at + 1}. ${line}`).join('\n')),
          figures: fenceData('figures', sourceLines(figures, 'en').join('\n')),
        },
        output: { schema: outputSchema },
      },
      AbortSignal.any([signal, limit]),
    )
    const { wrong } = await offTheClock(asking)
    const reasons = new Map(wrong.map(({ line, why }) => [line, shortRemark(why)]))
    return [...reasons].map(([line, reason]) => ({ line, reason }))
  } catch (error) {
    const isUnread = limit.aborted || (error instanceof ModelError && error.kind !== 'cancelled')
    if (signal.aborted || !isUnread) throw error
    context.logger.warn({ error: errorMessage(error), run: context.log.runId }, 'an answer could not be proofread')
    return undefined
  }
}
