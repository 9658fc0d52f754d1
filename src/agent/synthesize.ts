import { askForText } from './ask-model.ts'
import { conversationPrompt } from './conversation-prompt.ts'
import { questionPrompt } from './question-prompt.ts'
import { SentenceRelease } from './release-sentences.ts'
import { resultsPrompt } from './results-prompt.ts'
import type { RunContext } from './run-context.ts'
import type { QueryReport } from './run-result.ts'
import { describeNow } from './time-context.ts'

const CITATION = /\s*\[(Q\d+(?:\s*,\s*Q\d+)*)\]/g

/**
 * Writes the answer from the results (REQUIREMENTS A9). It streams: whole sentences are released as they are written, with citations only of queries that
 * returned something.
 */
export async function synthesize(
  context: RunContext,
  question: string,
  queries: readonly QueryReport[],
  signal: AbortSignal,
): Promise<string> {
  const { request, observe, deps } = context
  const citable = new Set(queries.filter(query => query.error === null).map(query => query.id))
  const check = (sentence: string) => withKnownCitations(sentence, citable)
  const newRelease = () => new SentenceRelease(check)
  let release = newRelease()
  const results = resultsPrompt(queries)
  const markdown = await askForText(
    context,
    {
      step: 'synthesize',
      subject: question,
      input: { question, results },
      values: {
        domain: deps.domain.overview,
        now: describeNow(request),
        conversation: conversationPrompt(request.conversation),
        question: questionPrompt(question),
        results,
      },
    },
    signal,
    {
      onText: text => observe({ kind: 'answer_grown', markdown: release.add(text) }),
      onRestart: () => {
        release = newRelease()
      },
    },
  )
  const whole = newRelease()
  whole.add(markdown)
  return whole.end().trim()
}

/** Takes out citations of queries that did not run or returned nothing: a claim may only cite what it can rest on. */
export function withKnownCitations(sentence: string, citable: ReadonlySet<string>): string {
  return sentence.replace(CITATION, (whole, list: string) => {
    const known = list.split(',').flatMap(id => (citable.has(id.trim()) ? [id.trim()] : []))
    return known.length === 0 ? '' : `${/^\s*/.exec(whole)?.[0] ?? ''}[${known.join(', ')}]`
  })
}
