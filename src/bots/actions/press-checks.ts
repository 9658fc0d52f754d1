import { isOutsideWorkspaces } from '../../access/control.ts'
import type { ChatPlace, ChatPress } from '../../chat/event.ts'
import type { PressHandler } from '../../chat/press-handler.ts'
import type { PrivateReply } from '../../chat/reply.ts'
import type { AcceptedMessage } from '../../queue/accept/accepted-message.ts'
import type { AcceptedRuns } from '../../queue/accept/accepted-runs.ts'
import { type ChatWords, chatWords } from '../../words/chat.ts'
import type { PressAccess } from './press-access.ts'
import type { RunRecord, RunRecords } from './run-record.ts'

/** The reply to a press on an expired answer. */
export function forgotten(words: ChatWords): PrivateReply {
  return { markdown: words.forgotten }
}

/** A press on a button, and the texts for the reply in the person's language. */
interface Pressed {
  readonly press: ChatPress
  readonly words: ChatWords
}

interface PressedAnswer extends Pressed {
  readonly record: RunRecord
}

interface PressedQuestion extends Pressed {
  readonly asked: AcceptedMessage
}

/** Wraps a handler of presses. The handler runs only for people who may read the tables behind the answer. */
export function forReaders(
  deps: { readonly records: Pick<RunRecords, 'load'>; readonly access: Pick<PressAccess, 'mayRead'> },
  handle: (pressed: PressedAnswer, signal: AbortSignal) => Promise<PrivateReply | undefined>,
): PressHandler {
  return forViewers(deps, async (pressed, signal) => {
    const { press, record, words } = pressed
    return (await deps.access.mayRead(press, record, signal)) ? handle(pressed, signal) : { markdown: words.mayNotRead }
  })
}

/** Wraps a handler of presses. The handler runs only for people who see the answer. */
export function forViewers(
  deps: { readonly records: Pick<RunRecords, 'load'> },
  handle: (pressed: PressedAnswer, signal: AbortSignal) => Promise<PrivateReply | undefined>,
): PressHandler {
  return async (press, signal) => {
    const record = await deps.records.load(press.pressed.runId, signal)
    const words = chatWords(record?.language ?? press.language ?? 'en')
    return record === undefined || isElsewhere(press, record.place, record.author)
      ? forgotten(words)
      : handle({ press, record, words }, signal)
  }
}

/**
 * Wraps a handler of presses. The handler runs only for the asker of the question. Other people are told that only the asker may
 * press.
 */
export function forAsker(
  deps: { readonly runs: Pick<AcceptedRuns, 'find'> },
  what: keyof ChatWords['onlyAsker'],
  handle: (pressed: PressedQuestion, signal: AbortSignal) => Promise<PrivateReply | undefined>,
): PressHandler {
  return async (press, signal) => {
    const asked = await deps.runs.find(press.pressed.runId, signal)
    const words = chatWords(press.language ?? asked?.message.language ?? 'en')
    if (asked === undefined || isElsewhere(press, asked.message.place, asked.message.author)) return forgotten(words)
    if (asked.message.author !== press.user) return { markdown: words.onlyAsker[what] }
    return handle({ press, asked, words }, signal)
  }
}

/**
 * Whether a press comes from another platform, workspace or server than the answer. There, the same user id may belong to another
 * person. A press from a direct conversation outside all workspaces is accepted only from the answer's author.
 */
function isElsewhere({ place: pressed, user }: ChatPress, place: ChatPlace, author: string): boolean {
  if (pressed.platform !== place.platform) return true
  if (pressed.workspace === place.workspace) return false
  return !(isOutsideWorkspaces(pressed) && user === author)
}
