import { type Ahead, beginAhead } from './ahead.ts'
import { resultsPrompt } from './results-prompt.ts'
import type { RunContext } from './run-context.ts'
import type { UnexplainedQuery } from './run-result.ts'
import { synthesize, type WrittenAnswer } from './synthesize.ts'
import type { TaskGroup } from './task-group.ts'

/** The answer to one question, written from rows that may still be taken back: nothing of it is shown before they are certain. */
export interface AnswerAhead {
  /** Begins to write it from these; what was begun from others is dropped. */
  begin(queries: readonly UnexplainedQuery[]): void
  /** These are certain: the answer from them, as it was begun where it was from the same. @throws ModelError */
  finish(queries: readonly UnexplainedQuery[]): Promise<WrittenAnswer>
}

interface BegunAnswer {
  readonly queries: readonly UnexplainedQuery[]
  readonly results: string
  readonly attempt: Ahead<WrittenAnswer>
}

/** What is begun are tasks of the group; where the settings allow no speculation, it begins with `finish`. */
export function answerAhead(group: TaskGroup, context: RunContext, question: string): AnswerAhead {
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
      // Where no query ran, no model is asked.
      if (context.deps.settings.speculation && queries.some(query => query.error === null)) begin(queries)
    },
    finish: async queries => {
      const { attempt } = begin(queries)
      await attempt.keep()
      return attempt.result
    },
  }
}

/** A model is shown the first rows only; an answer is checked against all of them. */
function haveSameRows(queries: readonly UnexplainedQuery[], others: readonly UnexplainedQuery[]): boolean {
  return queries.every(({ rows }, index) => rows === others[index]?.rows)
}
