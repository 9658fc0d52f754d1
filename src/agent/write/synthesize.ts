import { CitationChecker } from '../../answer-check/citation-checker.ts'
import { indexResults } from '../../answer-check/rows/result-index.ts'
import type { FigureSource } from '../../answer-check/workings/figure-source.ts'
import { inSlices } from '../../base/slices.ts'
import { answerWords } from '../../words/answer.ts'
import { askForText } from '../run/ask-model.ts'
import type { ModelContext, QuestionContext } from '../run/context.ts'
import type { CitationReport, UnexplainedQuery } from '../run/result.ts'
import { describeNow } from '../run/time-context.ts'
import { conversationPrompt } from '../understand/conversation-prompt.ts'
import { questionPrompt } from '../understand/question-prompt.ts'
import { CheckedAnswer } from './checked-answer.ts'
import { proofread } from './proofread.ts'
import { resultsPrompt } from './results-prompt.ts'
import { rewrite } from './rewrite.ts'

/** The text of the answer as the model wrote it, after the check, without the program's additions. */
export interface WrittenAnswer {
  readonly markdown: string
  readonly citations: CitationReport
  /** The sources of the figures in the answer, in order of appearance. */
  readonly figures: readonly FigureSource[]
}

/**
 * Writes the answer from the results, as a stream. Each sentence is shown as soon as it has been checked against the rows that it
 * cites.
 */
export async function synthesize(
  context: ModelContext & QuestionContext,
  question: string,
  queries: readonly UnexplainedQuery[],
  signal: AbortSignal,
): Promise<WrittenAnswer> {
  const { request, observe, domain, language, proofreadMs: timeoutMs } = context
  const results = resultsPrompt(queries)
  const checkedIn = { question, timeZone: request.time_zone, askedAt: request.asked_at, language }
  const indexing = inSlices(indexResults(queries))
  const newAnswer = () => {
    let checker = new CitationChecker([], checkedIn)
    const ready = indexing.then(indexes => {
      checker = new CitationChecker(queries, checkedIn, indexes)
    })
    const own = new CheckedAnswer({
      ready,
      unverified: answerWords(language).unverifiedMark,
      check: unit => checker.checkInParts(unit),
      mark: () => checker.mark(),
      end: () => checker.end(),
      rewrite: (sentence, problems, attempt) => rewrite(context, { sentence, problems, attempt, results }, signal),
      ...(timeoutMs && {
        proofread: (lines, figures) => proofread(context, { question, lines, figures, results, timeoutMs }, signal),
      }),
      // If the model starts again, its first answer is dropped. Parts of it may still arrive, and are ignored.
      onGrown: markdown => {
        if (own === answer) observe({ kind: 'answer_grown', markdown })
      },
    })
    return own
  }
  let answer = newAnswer()
  let isHeard = false
  const written = await askForText(
    context,
    {
      step: 'synthesize',
      subject: question,
      input: { question, results },
      values: {
        domain: domain().overview,
        now: describeNow(request),
        conversation: conversationPrompt(request.conversation),
        question: questionPrompt(question),
        results,
      },
    },
    signal,
    {
      onText: text => {
        isHeard = true
        answer.add(text)
      },
      onRestart: () => {
        answer = newAnswer()
      },
    },
  )
  // A resumed run takes the text from its log, without a stream. So the whole text is checked here.
  if (!isHeard) answer.add(written)
  return answer.end()
}
