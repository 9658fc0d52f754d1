import type { Analyst } from '../agent/analyst.ts'
import { confidenceLine } from '../agent/confidence.ts'
import type { QueryReport } from '../agent/run-result.ts'
import type { AcceptedMessage } from '../queue/accepted-message.ts'
import type { RunContext } from '../queue/thread-drain.ts'
import { threadName } from '../queue/thread-keys.ts'
import { ProgressLines } from './progress-lines.ts'
import type { Reply } from './reply.ts'

const HELLO = 'Hi! Ask me a question about the data, for example "what tables are there?".'

/** Answers a message of a chat: a question to the analyst, its progress and its answer back. */
export async function answerChatMessage(
  analyst: Analyst,
  { message, runId }: AcceptedMessage,
  context: RunContext,
  signal: AbortSignal,
): Promise<Reply> {
  // A mention with nothing else is a greeting; no model is needed to return it.
  if (message.text.trim() === '') return { kind: 'answer', markdown: HELLO }
  const timeZone = await context.timeZone(signal)
  const progress = new ProgressLines()
  const { result, afterwards } = await analyst.ask(
    {
      runId,
      thread: threadName(message.place),
      text: message.text,
      askedAt: Math.floor(message.order / 1_000),
      ...(timeZone === undefined ? {} : { timeZone }),
      observe: event => {
        if (progress.observe(event)) context.progress(progress.lines())
      },
    },
    signal,
  )
  context.afterReply(afterwards)
  const parts = [result.answer, confidenceLine(result), ...sources(result.queries)]
  return { kind: 'answer', markdown: parts.filter(part => part !== '').join('\n\n') }
}

/** What each cited query computes, in words, below the answer: a citation must point at something that is there. */
function sources(queries: readonly QueryReport[]): string[] {
  const lines = queries
    .filter(query => query.error === null)
    .map(query => `- ${query.id}: ${oneLine(query.explanation || query.question)} (${size(query)})`)
  return lines.length === 0 ? [] : [`**Sources**\n${lines.join('\n')}`]
}

function size({ row_count: rows, truncated }: QueryReport): string {
  return `${rows}${truncated ? '+' : ''} ${rows === 1 ? 'row' : 'rows'}`
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}
