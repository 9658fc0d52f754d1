import type { AccessDecision } from '../../access/decision.ts'
import type { Analyst } from '../../agent/analyst.ts'
import type { OpenQuestions } from '../../agent/ask-back/open-questions.ts'
import { askInThread } from '../../agent/ask-in-thread.ts'
import { queryExplanations } from '../../agent/notes/small-print.ts'
import { RunError } from '../../agent/run/error.ts'
import type { DraftReport, RunResult } from '../../agent/run/result.ts'
import type { Answer, Reply } from '../../chat/reply.ts'
import type { AcceptedMessage } from '../../queue/accept/accepted-message.ts'
import type { Allowance } from '../../queue/accept/allowance.ts'
import type { ReplyContext } from '../../queue/drain/settle-message.ts'
import { threadName } from '../../queue/thread-keys.ts'
import { chatWords } from '../../words/chat.ts'
import type { Language } from '../../words/language.ts'
import { SHARED_LIMITS } from '../shared/limits.ts'
import { answerActions, chooseActions, publishAction } from './answer-actions.ts'
import { ChatProgress } from './chat-progress.ts'
import type { PressAccess } from './press-access.ts'
import type { RunRecord, RunRecords } from './run-record.ts'
import type { ShowClosed } from './show-closed.ts'

export interface ChatAnswererDeps {
  readonly analyst: Pick<Analyst, 'ask'>
  readonly questions: OpenQuestions
  readonly records: Pick<RunRecords, 'save'>
  readonly access: Pick<PressAccess, 'mayPublish'>
  readonly showClosed: ShowClosed
  readonly allowance: Pick<Allowance, 'spend'>
  /** Unix time in milliseconds. */
  readonly now: () => number
}

/**
 * Answers a message from a chat through the analyst, and shows the progress. Stores a record for the answer's buttons before the
 * answer is shown.
 */
export async function answerChatMessage(
  deps: ChatAnswererDeps,
  accepted: AcceptedMessage,
  context: ReplyContext,
  signal: AbortSignal,
): Promise<Reply> {
  const { message, runId, acceptedAt, access: decision } = accepted
  const { language = 'en' } = message
  const words = chatWords(language)
  if (decision?.kind === 'refused') return { kind: 'error', sentence: refusalSentence(decision.reason, language) }
  // A message that only mentions Clew gets a greeting. This needs no model.
  if (message.text.trim() === '') return { kind: 'answer', markdown: words.hello }
  const timeZone = await context.timeZone(signal)
  const progress = new ChatProgress(language)
  const pressed = message.resumes?.action === 'choose' ? message.resumes : undefined
  let tokens = 0
  const spend = async (own: AbortSignal) => {
    const spent = tokens
    tokens = 0
    await deps.allowance.spend(runId, spent, { place: message.place, user: message.author }, own)
  }
  const { result, afterwards } = await askInThread(
    deps,
    {
      thread: threadName(message.continues ?? message.place),
      id: message.messageId,
      author: message.author,
      text: message.text,
      at: acceptedAt,
      ...(pressed && { pressed: { question: pressed.runId, choice: pressed.choice ?? 0 } }),
    },
    {
      runId,
      isEndless: message.place.thread === message.place.channel,
      ...(timeZone === undefined ? {} : { timeZone }),
      ...(message.language && { language: message.language }),
      ...(decision?.access === undefined ? {} : { access: decision.access }),
      observe: event => {
        if (event.kind === 'question_understood') context.speak(event.language)
        if (progress.observe(event)) context.progress(() => progress.progress())
      },
      onUsage: ({ tokens_in, tokens_out }) => {
        tokens += tokens_in + tokens_out
      },
      // A worker never waits for a person. If Clew asks something, the run ends, and the person's answer resumes it.
      askPerson: async () => undefined,
      onClosed: ({ question, choice }) => {
        const shown = deps.showClosed(question, choice, signal)
        // `afterReply` reports a failure later. Without this handler, Node would first report it as unhandled.
        shown.catch(() => undefined)
        context.afterReply(() => shown)
      },
    },
    signal,
  ).catch(async (error: unknown) => {
    // A failed or stopped run has used tokens too, so they are recorded. If that fails, the error of the run is still thrown.
    await spend(AbortSignal.timeout(SHARED_LIMITS.spendMs)).catch(() => undefined)
    throw error
  })
  await spend(signal)
  context.afterReply(own => afterwards(own).finally(() => spend(own)))
  const record = recordOf(accepted, result, deps.now())
  await deps.records.save(record, result.queries, signal)
  if (result.interrupt !== null) return { ...answerOf(record, false), actions: chooseActions(runId, result.interrupt) }
  const isPublishable = record.isPrivate && !record.place.isDirect && (await deps.access.mayPublish(record, signal))
  return answerOf(record, isPublishable)
}

function refusalSentence(reason: Extract<AccessDecision, { kind: 'refused' }>['reason'], language: Language): string {
  const { noRole, peopleUnknown } = chatWords(language)
  return { no_role: noRole, people_unknown: peopleUnknown, changed: RunError.otherAccess().inLanguage(language) }[reason]
}

function recordOf({ message, runId, access: decision }: AcceptedMessage, result: RunResult, now: number): RunRecord {
  return {
    version: 1,
    runId,
    place: message.place,
    author: message.author,
    ...(decision?.kind === 'granted' && decision.access !== undefined ? { access: decision.access } : {}),
    isPrivate: message.isPrivate === true,
    // After a press on "Run it", the message's own text is only that choice. So the record shows the question of the earlier run.
    question: result.run_id === runId ? message.text : result.standalone_question,
    standaloneQuestion: result.standalone_question,
    answeredAt: now,
    isFailure: result.queries.length > 0 && result.queries.every(query => query.error !== null),
    queries: [...result.queries],
    figures: [...result.figures],
    language: result.language,
    markdown: result.answer,
    footer: queryExplanations(result)
      .map(source => `- ${source}`)
      .join('\n'),
    ...(result.chart === null ? {} : { chart: result.chart }),
    ...(result.draft === null ? {} : { draft: draftRecord(result.draft) }),
  }
}

function draftRecord({ name, definition, valid, tables }: DraftReport): NonNullable<RunRecord['draft']> {
  return { name, definition, valid, tables: tables && [...tables] }
}

function answerOf(record: RunRecord, isPublishable: boolean): Answer {
  const { markdown, footer, chart, language } = record
  const actions = [...answerActions(record), ...(isPublishable ? [publishAction(record)] : [])]
  return {
    kind: 'answer',
    markdown,
    ...(footer === '' ? {} : { footer }),
    ...(chart === undefined ? {} : { chart }),
    ...(actions.length === 0 ? {} : { actions }),
    ...(language === 'en' ? {} : { language }),
  }
}
