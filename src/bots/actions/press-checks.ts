import { isOutsideWorkspaces } from '../../access/control.ts'
import type { ChatPlace, ChatPress } from '../../chat/event.ts'
import type { PressHandler } from '../../chat/press-handler.ts'
import type { PrivateReply } from '../../chat/reply.ts'
import type { AcceptedMessage } from '../../queue/accept/accepted-message.ts'
import type { AcceptedRuns } from '../../queue/accept/accepted-runs.ts'
import { type ChatWords, chatWords } from '../../words/chat.ts'
import type { PressAccess } from './press-access.ts'
import type { RunRecord, RunRecords } from './run-record.ts'

/** Says that the answer has expired. */
export function forgotten(words: ChatWords): PrivateReply {
  return { markdown: words.forgotten }
}

/** A press, with the words for replying. */
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

/** Wraps a handler for people who may read the tables behind the answer. */
export function forReaders(
  deps: { readonly records: Pick<RunRecords, 'load'>; readonly access: Pick<PressAccess, 'mayRead'> },
  handle: (pressed: PressedAnswer, signal: AbortSignal) => Promise<PrivateReply | undefined>,
): PressHandler {
  return forViewers(deps, async (pressed, signal) => {
    const { press, record, words } = pressed
    return (await deps.access.mayRead(press, record, signal)) ? handle(pressed, signal) : { markdown: words.mayNotRead }
  })
}

/** Wraps a handler for people who see the answer. */
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

/** Wraps a handler for the asker. Other people are told that they may not do this. */
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
 * Person ids mean nothing on another platform, and an answer belongs to one workspace or server. Where direct conversations
 * belong to none, an author presses the buttons of a private answer outside it.
 */
function isElsewhere({ place: pressed, user }: ChatPress, place: ChatPlace, author: string): boolean {
  if (pressed.platform !== place.platform) return true
  if (pressed.workspace === place.workspace) return false
  return !(isOutsideWorkspaces(pressed) && user === author)
}
