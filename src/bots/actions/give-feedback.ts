import type { PressHandler } from '../../chat/press-handler.ts'
import { askerName } from '../../queue/asker.ts'
import type { Feedback, FeedbackStore } from './feedback.ts'
import { forViewers } from './press-checks.ts'
import type { RunRecords } from './run-record.ts'

/** Handles a verdict button: stores the person's opinion of an answer, in place of the person's earlier one. */
export function giveFeedback(
  verdict: Feedback['verdict'],
  deps: { readonly records: Pick<RunRecords, 'load'>; readonly feedback: Pick<FeedbackStore, 'give'> },
): PressHandler {
  return forViewers(deps, async ({ press, record, words }, signal) => {
    const { runId, question, standaloneQuestion, queries, place, author, models = [], isPrivate } = record
    const reason = press.text?.trim() ?? ''
    const feedback: Feedback = {
      runId,
      verdict,
      ...(reason === '' ? {} : { reason }),
      platform: press.place.platform,
      workspace: press.place.workspace,
      user: press.user,
      at: Math.floor(press.order / 1_000),
      question,
      standaloneQuestion,
      sql: queries.flatMap(query => query.sql ?? []),
      of: {
        person: askerName(place, author),
        channel: askerName(place, place.channel),
        sources: [...new Set(queries.flatMap(query => query.source ?? []))],
        models,
        isOpen: !isPrivate && !place.isDirect,
      },
    }
    await deps.feedback.give(feedback, signal)
    return { markdown: verdict === 'helpful' ? words.thanks : words.noted }
  })
}
