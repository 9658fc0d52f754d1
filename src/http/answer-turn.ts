import type { RunEvent } from '../agent/run/event.ts'
import { askForMessage, type MessageAskerDeps, refusalReply } from '../bots/actions/ask-for-message.ts'
import type { AnswerMessage } from '../queue/drain/answer-message.ts'
import { abortable } from '../store/abortable.ts'
import { readCommand } from '../subscriptions/chat-command.ts'
import { subscriptionWords } from '../words/subscription.ts'
import type { TurnEvents, TurnEventWriter } from './turn-events.ts'

/** Answers a turn over HTTP through the analyst, and writes the run's events. */
export function answerTurn(deps: MessageAskerDeps & { readonly events: Pick<TurnEvents, 'writer'> }): AnswerMessage {
  return async (accepted, context, signal) => {
    if (accepted.access?.kind === 'refused') return refusalReply(accepted.access, accepted.message)
    if (readCommand(accepted.message.text) !== undefined) {
      const { onlyInChats } = subscriptionWords(accepted.message.language ?? 'en')
      return { kind: 'error', code: 'only_in_chats', sentence: onlyInChats }
    }
    const writer = deps.events.writer(accepted)
    writer.add({ kind: 'start', data: null })
    const observe = (event: RunEvent) => writeEvent(writer, event)
    const result = await askForMessage(deps, accepted, context, { observe }, signal)
    // The turn ends after this, and nothing may follow its end.
    await abortable(writer.flushed(), signal)
    return { kind: 'answer', markdown: result.answer, result }
  }
}

function writeEvent(writer: TurnEventWriter, event: RunEvent): void {
  switch (event.kind) {
    case 'data_question_planned':
      writer.add({ kind: 'plan', data: { query: event.id, question: event.question } })
      break
    case 'data_question_dropped':
      writer.add({ kind: 'plan', data: { query: event.id, question: null } })
      break
    case 'query_finished': {
      const { id: query, question, ok, rowCount: row_count, elapsedMs: elapsed_ms, table } = event
      writer.add({ kind: 'query', data: { query, question, ok, row_count, elapsed_ms } })
      if (table !== undefined) writer.add({ kind: 'rows', data: { query, markdown: table } })
      break
    }
    case 'model_busy':
      writer.add({ kind: 'notice', data: { notice: 'model_busy', is_over: !event.isBusy } })
      break
    case 'answer_grown':
      writer.grow(() => event.markdown)
      break
    default:
  }
}
