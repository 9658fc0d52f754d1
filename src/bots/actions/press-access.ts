import type { ChatPress } from '../chat-event.ts'
import type { RunRecord } from '../run-record.ts'

/** Whom an answer's buttons obey, beyond seeing them. */
export interface PressAccess {
  /** Whether whoever pressed may read everything that the answer's queries read. */
  mayRead(press: ChatPress, record: RunRecord, signal: AbortSignal): Promise<boolean>
  /** Whether the asker may show the answer, which they alone see, to everybody in the channel. */
  mayPublish(record: Pick<RunRecord, 'place' | 'author'>, signal: AbortSignal): Promise<boolean>
}

/** Without rules of the operator's, whoever sees an answer may read what it rests on, and whoever asked may show it. */
export const OPEN_ACCESS: PressAccess = {
  mayRead: async () => true,
  mayPublish: async () => true,
}
