import type { AccessDecision } from '../../access/decision.ts'
import type { Analyst } from '../../agent/analyst.ts'
import type { OpenQuestions } from '../../agent/ask-back/open-questions.ts'
import { type AskOptions, askInThread } from '../../agent/ask-in-thread.ts'
import { RunError } from '../../agent/run/error.ts'
import type { RunObserver } from '../../agent/run/event.ts'
import type { RunResult } from '../../agent/run/result.ts'
import type { ErrorReply } from '../../chat/reply.ts'
import type { AcceptedMessage } from '../../queue/accept/accepted-message.ts'
import type { ReplyContext } from '../../queue/drain/answer-message.ts'
import { threadName } from '../../queue/thread-keys.ts'
import { chatWords } from '../../words/chat.ts'
import type { Language } from '../../words/language.ts'

export interface MessageAskerDeps {
  readonly analyst: Pick<Analyst, 'ask'>
  readonly questions: OpenQuestions
}

/**
 * Asks the analyst what an accepted message asks, with its author's rights and in the author's time zone.
 * @param run.onClosed receives the question of Clew that the message closes
 * @throws the errors of `askInThread`
 */
export async function askForMessage(
  deps: MessageAskerDeps,
  { message, runId, acceptedAt, access: decision }: AcceptedMessage,
  context: ReplyContext,
  run: Pick<AskOptions, 'onClosed' | 'subscribe'> & { readonly observe: RunObserver },
  signal: AbortSignal,
): Promise<RunResult> {
  if (decision?.kind === 'refused') throw RunError.otherAccess()
  const timeZone = await context.timeZone(signal)
  const pressed = message.resumes?.action === 'choose' ? message.resumes : undefined
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
      ...run,
      runId,
      isEndless: message.place.thread === message.place.channel,
      ...(timeZone === undefined ? {} : { timeZone }),
      ...(message.language && { language: message.language }),
      ...(decision?.access === undefined ? {} : { access: decision.access }),
      observe: event => {
        if (event.kind === 'question_understood') context.speak(event.language)
        run.observe(event)
      },
      // A worker never waits for a person. If Clew asks something, the run ends, and the person's answer resumes it.
      askPerson: async () => undefined,
    },
    signal,
  )
  context.afterReply(afterwards)
  return result
}

/** Returns the reply to an author who may not ask. */
export function refusalReply(
  { reason }: Extract<AccessDecision, { kind: 'refused' }>,
  { language = 'en' }: { readonly language?: Language | undefined },
): ErrorReply {
  const { noRole, peopleUnknown } = chatWords(language)
  const sentences = { no_role: noRole, people_unknown: peopleUnknown, changed: RunError.otherAccess().inLanguage(language) }
  return { kind: 'error', code: reason, sentence: sentences[reason] }
}
