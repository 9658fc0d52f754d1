import type { AcceptedMessage } from '../../queue/accepted-message.ts'
import type { AcceptedRuns } from '../../queue/accepted-runs.ts'
import type { ChatPress } from '../chat-event.ts'
import type { PrivateReply } from '../reply.ts'
import type { RunRecord, RunRecords } from '../run-record.ts'
import type { PressAccess } from './press-access.ts'
import type { PressHandler } from './press-handler.ts'

export const FORGOTTEN: PrivateReply = {
  markdown: 'I no longer have this answer. Ask the question again, and the buttons of the new answer will work.',
}
const NOT_ALLOWED: PrivateReply = { markdown: 'This answer rests on data that you may not read, so I cannot show it to you.' }

/** A handler of presses by whoever may read what the answer rests on. */
export function forReaders(
  deps: { readonly records: Pick<RunRecords, 'load'>; readonly access: Pick<PressAccess, 'mayRead'> },
  handle: (press: ChatPress, record: RunRecord, signal: AbortSignal) => Promise<PrivateReply | undefined>,
): PressHandler {
  return forViewers(deps, async (press, record, signal) => {
    return (await deps.access.mayRead(press, record, signal)) ? handle(press, record, signal) : NOT_ALLOWED
  })
}

/** A handler of presses by whoever sees the answer. */
export function forViewers(
  deps: { readonly records: Pick<RunRecords, 'load'> },
  handle: (press: ChatPress, record: RunRecord, signal: AbortSignal) => Promise<PrivateReply | undefined>,
): PressHandler {
  return async (press, signal) => {
    const record = await deps.records.load(press.pressed.runId, signal)
    return record === undefined || isElsewhere(press, record) ? FORGOTTEN : handle(press, record, signal)
  }
}

/** A handler of presses by the one who asked; anybody else is told that they may not `what` it. */
export function forAsker(
  deps: { readonly runs: Pick<AcceptedRuns, 'find'> },
  what: string,
  handle: (press: ChatPress, asked: AcceptedMessage, signal: AbortSignal) => Promise<PrivateReply | undefined>,
): PressHandler {
  return async (press, signal) => {
    const asked = await deps.runs.find(press.pressed.runId, signal)
    if (asked === undefined || isElsewhere(press, asked.message)) return FORGOTTEN
    if (asked.message.author !== press.user) return { markdown: `Only the person who asked can ${what}.` }
    return handle(press, asked, signal)
  }
}

/** Ids of people mean nothing on another platform, nor in another workspace of Slack's. On Discord a private answer's button is pressed outside of its server. */
function isElsewhere({ place: pressed }: ChatPress, { place }: Pick<RunRecord, 'place'>): boolean {
  return pressed.platform !== place.platform || (place.platform === 'slack' && pressed.workspace !== place.workspace)
}
