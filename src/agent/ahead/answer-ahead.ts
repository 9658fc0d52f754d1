import type { ModelContext, QuestionContext } from '../run/context.ts'
import type { UnexplainedQuery } from '../run/result.ts'
import type { TaskGroup } from '../run/task-group.ts'
import { resultsPrompt } from '../write/results-prompt.ts'
import { synthesize, type WrittenAnswer } from '../write/synthesize.ts'
import { type Ahead, beginAhead } from './ahead.ts'

/** Writes the answer from rows that may still change. Nothing is shown until they are final. */
export interface AnswerAhead {
  /** Starts writing from these queries, and drops an attempt from other ones. */
  begin(queries: readonly UnexplainedQuery[]): void
  /** The queries are final: returns their answer, from the running attempt if it used the same rows. @throws ModelError */
  finish(queries: readonly UnexplainedQuery[]): Promise<WrittenAnswer>
}

interface BegunAnswer {
  readonly queries: readonly UnexplainedQuery[]
  readonly results: string
  readonly attempt: Ahead<WrittenAnswer>
}

/** Attempts are tasks of the group. Without speculation, writing starts at `finish`. */
export function answerAhead(
  group: TaskGroup,
  context: ModelContext & QuestionContext,
  { question, speculation }: { readonly question: string; readonly speculation: boolean },
): AnswerAhead {
  let begun: BegunAnswer | undefined
  const begin = (queries: readonly UnexplainedQuery[]) => {
    const results = resultsPrompt(queries)
    if (begun !== undefined && results === begun.results && haveSameRows(queries, begun.queries)) return begun
    begun?.attempt.drop('the answer is written from other results')
    const attempt = beginAhead(group, context, (own, signal) => synthesize(own, question, queries, signal))
    begun = { queries, results, attempt }
    return begun
  }
  return {
    begin: queries => {
      // Without a successful query there is no need for a model.
      if (speculation && queries.some(query => query.error === null)) begin(queries)
    },
    finish: async queries => {
      const { attempt } = begin(queries)
      await attempt.keep()
      return attempt.result
    },
  }
}

/** The model sees only the first rows, but the check needs all of them. */
function haveSameRows(queries: readonly UnexplainedQuery[], others: readonly UnexplainedQuery[]): boolean {
  return queries.every(({ rows }, index) => rows === others[index]?.rows)
}
