import type { Schema } from '../clickhouse/schema.ts'
import { ModelError } from '../llm/model-error.ts'
import { answerWithoutWords } from './answer-without-words.ts'
import type { Chart } from './chart.ts'
import { chartOfAnswer } from './charts/chart-of-answer.ts'
import { dataAgeNote } from './data-age.ts'
import { decidingAssumptionsNote } from './deciding-assumptions.ts'
import { didYouMeanNote } from './did-you-mean.ts'
import { definitionsNote } from './domain/definitions-used.ts'
import { failureAnswer, leftOutNote, partialFailureNote } from './failure-answer.ts'
import { limitsNote } from './limits-note.ts'
import type { RunContext } from './run-context.ts'
import type { CitationReport, QueryReport } from './run-result.ts'
import type { WrittenAnswer } from './synthesize.ts'
import { withDefinitions } from './with-definitions.ts'

export interface AnsweredDataQuestions {
  readonly answered: readonly QueryReport[]
  /** Data questions that were not looked up, being too many. */
  readonly leftOut: readonly string[]
  /** Writes the answer from the queries. @throws ModelError */
  readonly write: (queries: readonly QueryReport[]) => Promise<WrittenAnswer>
}

export interface AnswerFromQueries {
  readonly markdown: string
  readonly queries: readonly QueryReport[]
  readonly chart: Chart | null
  /** null where nobody could put the results into words. */
  readonly citations: CitationReport | null
  readonly leftOut: readonly string[]
}

/** Puts the results into words, with the notes below them that a program adds; where no query ran to its end, says what was tried. */
export async function answerFromQueries(
  context: RunContext,
  schema: Schema,
  { answered, leftOut, write }: AnsweredDataQuestions,
  signal: AbortSignal,
): Promise<AnswerFromQueries> {
  if (answered.every(query => query.error !== null)) {
    const markdown = withNotes(failureAnswer(answered, schema), [leftOutNote(leftOut)])
    return { markdown, queries: answered, chart: null, citations: null, leftOut }
  }
  const [{ markdown, citations }, queries] = await Promise.all([
    inWordsIfPossible(context, write(answered), answered, signal),
    Promise.all(answered.map(query => withDefinitions(context, schema, query, signal))),
  ])
  const notes = [
    didYouMeanNote(markdown, queries),
    limitsNote(queries, context.deps.settings),
    decidingAssumptionsNote(queries),
    `${definitionsNote(queries)} ${dataAgeNote(queries, context.deps.now())}`.trim(),
    partialFailureNote(queries),
    leftOutNote(leftOut),
  ]
  const chart = chartOfAnswer(markdown, queries, { server: schema.timeZone, asker: context.request.time_zone })
  return { markdown: withNotes(markdown, notes), queries, chart, citations, leftOut }
}

/** What the queries found is not lost because the model went away at the last step. */
async function inWordsIfPossible(
  context: RunContext,
  writing: Promise<WrittenAnswer>,
  queries: readonly QueryReport[],
  signal: AbortSignal,
): Promise<Pick<AnswerFromQueries, 'markdown' | 'citations'>> {
  try {
    return await writing
  } catch (error) {
    if (signal.aborted || !(error instanceof ModelError) || error.kind === 'no_recording') throw error
    context.deps.logger.error({ code: error.code, run: context.log.runId }, 'results could not be put into words')
    return { markdown: answerWithoutWords(queries), citations: null }
  }
}

function withNotes(markdown: string, notes: readonly string[]): string {
  return [markdown, ...notes.filter(note => note !== '')].join('\n\n')
}
