import type { ModelContext, QuestionContext } from '../run/context.ts'
import type { UnexplainedQuery } from '../run/result.ts'
import type { TaskGroup } from '../run/task-group.ts'
import { resultsPrompt } from '../write/results-prompt.ts'
import { synthesize, type WrittenAnswer } from '../write/synthesize.ts'
import { withLead } from '../write/with-lead.ts'
import { type Ahead, beginAhead } from './ahead.ts'

/** Writes the answer before it is certain that its rows are final. Nothing is shown until they are. */
export interface AnswerAhead {
  /** Starts to write the answer from these queries. Drops an earlier attempt from other rows. */
  begin(queries: readonly UnexplainedQuery[]): void
  /**
   * Returns the answer from the final queries, shown below the lead while it grows. If an attempt with the same rows has been started, returns that attempt's answer.
   * @throws ModelError
   */
  finish(queries: readonly UnexplainedQuery[], lead: string): Promise<WrittenAnswer>
}

interface BegunAnswer {
  readonly queries: readonly UnexplainedQuery[]
  readonly results: string
  readonly attempt: Ahead<WrittenAnswer>
}

/** Returns a writer that runs its attempts as tasks of the group. Without speculation, writing starts only at `finish`. */
export function answerAhead(
  group: TaskGroup,
  context: ModelContext & QuestionContext,
  { question, speculation }: { readonly question: string; readonly speculation: boolean },
): AnswerAhead {
  let begun: BegunAnswer | undefined
  let lead = ''
  const shown = withLead(context, () => lead)
  const begin = (queries: readonly UnexplainedQuery[]) => {
    const results = resultsPrompt(queries)
    if (begun !== undefined && results === begun.results && haveSameRows(queries, begun.queries)) return begun
    begun?.attempt.drop('the answer is written from other results')
    const attempt = beginAhead(group, shown, (own, signal) => synthesize(own, question, queries, signal))
    begun = { queries, results, attempt }
    return begun
  }
  return {
    begin: queries => {
      // If no query succeeded, the program writes the answer without a model, so there is nothing to start.
      if (speculation && queries.some(query => query.error === null)) begin(queries)
    },
    finish: async (queries, given) => {
      lead = given
      const { attempt } = begin(queries)
      await attempt.keep()
      return attempt.result
    },
  }
}

/** Compares all rows, because the check of the answer uses all of them, although the model sees only the first ones. */
function haveSameRows(queries: readonly UnexplainedQuery[], others: readonly UnexplainedQuery[]): boolean {
  return queries.every(({ rows }, index) => rows === others[index]?.rows)
}
