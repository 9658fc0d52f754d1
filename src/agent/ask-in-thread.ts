import { accessKey } from '../access/run-access.ts'
import { contentAttribute, inSpan } from '../telemetry/span.ts'
import type { Analyst, AnalystAnswer, Question } from './analyst.ts'
import type { OpenQuestions, ThreadMessage, UnderstoodMessage } from './ask-back/open-questions.ts'
import { checkLength } from './run/question-size.ts'

/** The members of `Question` that do not come from the message itself. */
export type AskOptions = Omit<Question, 'thread' | 'text' | 'askedAt' | 'choice' | 'messageRunId'> & {
  /** Receives the question that the message closes, before the run of that question continues. */
  readonly onClosed?: (closed: NonNullable<UnderstoodMessage['closed']>) => void
}

/**
 * Answers a message, which is a new question or the reply to an open one. After a reply, the run of the open question continues.
 * If Clew asks something back, that question stays open.
 * @param options.runId the id of the message's own run; also the id of a question that this run asks
 * @throws RunError if the message is too long, or if its open question can no longer be answered
 * @throws the errors of `Analyst.ask`
 */
export async function askInThread(
  { analyst, questions }: { readonly analyst: Pick<Analyst, 'ask'>; readonly questions: OpenQuestions },
  message: ThreadMessage,
  { onClosed, ...options }: AskOptions,
  signal: AbortSignal,
): Promise<AnalystAnswer> {
  checkLength(message.text)
  const { thread, author } = message
  const access = options.access && accessKey(options.access)
  const { text, resumes, closed } = await questions.understand({ ...message, access }, signal)
  if (closed !== undefined) onClosed?.(closed)
  const resumed = resumes && { ...resumes, messageRunId: options.runId }
  const asking = { ...options, thread, text, askedAt: message.at, ...resumed }
  const attributes = { 'clew.run': asking.runId, ...contentAttribute('clew.question', text) }
  const answer = await inSpan('run', { attributes }, () => analyst.ask(asking, signal))
  const { result, waiting } = answer
  if (result.interrupt !== null) {
    const asked = { id: options.runId, run_id: result.run_id, asker: author, steps: [...waiting], message: message.id, access }
    await questions.open(thread, { ...result.interrupt, ...asked, ...(closed && { follows: closed.question }) }, signal)
  }
  return answer
}
