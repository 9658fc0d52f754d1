import type { Analyst, AnalystAnswer, Question } from './analyst.ts'
import type { OpenQuestions, ThreadMessage, UnderstoodMessage } from './open-questions.ts'
import { checkLength } from './question-size.ts'

/** Everything about a message's question but what the message itself tells. */
type AskOptions = Omit<Question, 'thread' | 'text' | 'askedAt' | 'choice' | 'messageRunId'> & {
  /** Hears what the message has closed, before the run goes on. */
  readonly onClosed?: (closed: NonNullable<UnderstoodMessage['closed']>) => void
}

/**
 * Answers a message of a thread: as a question, or as the answer to one of Clew's, with which the run that asked goes on. What Clew asks back can be
 * answered in words or by a choice from then on.
 * @param options.runId of the run that begins with the message; also the id of what is asked back
 * @throws RunError when the message is too long, or what was pressed can no longer be answered; whatever `Analyst.ask` throws
 */
export async function askInThread(
  { analyst, questions }: { readonly analyst: Pick<Analyst, 'ask'>; readonly questions: OpenQuestions },
  message: ThreadMessage,
  { onClosed, ...options }: AskOptions,
  signal: AbortSignal,
): Promise<AnalystAnswer> {
  checkLength(message.text)
  const { thread, author } = message
  const { text, resumes, closed } = await questions.understand(message, signal)
  if (closed !== undefined) onClosed?.(closed)
  const resumed = resumes && { ...resumes, messageRunId: options.runId }
  const answer = await analyst.ask({ ...options, thread, text, askedAt: message.at, ...resumed }, signal)
  const { result, waiting } = answer
  if (result.interrupt !== null) {
    const asked = { id: options.runId, run_id: result.run_id, asker: author, steps: [...waiting], message: message.id }
    await questions.open(thread, { ...result.interrupt, ...asked, ...(closed && { follows: closed.question }) }, signal)
  }
  return answer
}
