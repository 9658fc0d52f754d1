import { ChatError } from '../../chat/error.ts'
import type { PressHandler } from '../../chat/press-handler.ts'
import type { Answer } from '../../chat/reply.ts'
import type { AcceptedRuns } from '../../queue/accept/accepted-runs.ts'
import type { PublishReply } from '../../queue/deliver/publish-reply.ts'
import { chatWords } from '../../words/chat.ts'
import { oneLine } from '../shared/plain-markdown.ts'
import { answerActions } from './answer-actions.ts'
import type { PressAccess } from './press-access.ts'
import { forAsker, forgotten } from './press-checks.ts'
import type { RunRecord, RunRecords } from './run-record.ts'

export function publishAnswer(deps: {
  readonly runs: Pick<AcceptedRuns, 'find'>
  readonly records: Pick<RunRecords, 'load'>
  readonly access: Pick<PressAccess, 'mayPublish'>
  readonly publishReply: PublishReply
}): PressHandler {
  return forAsker(deps, 'publish', async ({ press, asked, words: known }, signal) => {
    const record = await deps.records.load(press.pressed.runId, signal)
    if (record === undefined) return forgotten(known)
    const words = chatWords(record.language)
    if (!(await deps.access.mayPublish(record, signal))) return { markdown: words.mayNotPublish }
    try {
      await deps.publishReply(asked, publicAnswer(record), signal)
      return { markdown: words.posted }
    } catch (error) {
      if (error instanceof ChatError && (error.kind === 'gone' || error.kind === 'forbidden'))
        return { markdown: words.unreachable }
      throw error
    }
  })
}

/** The public copy of a private answer. It quotes the question, because nobody else has seen the question. */
function publicAnswer(record: RunRecord): Answer {
  const { question, markdown, footer, chart, language } = record
  return {
    kind: 'answer',
    markdown: `> ${oneLine(question)}\n\n${markdown}`,
    footer,
    ...(chart === undefined ? {} : { chart }),
    actions: answerActions(record),
    ...(language === 'en' ? {} : { language }),
  }
}
