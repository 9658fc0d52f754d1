import type { AccessDesk } from '../../access/access-desk.ts'
import type { ChatPress } from '../chat-event.ts'
import type { RunRecord } from '../run-record.ts'

type PressedRecord = Pick<RunRecord, 'place' | 'author' | 'queries' | 'access'>

/** Whom an answer's buttons obey, beyond seeing them. */
export interface PressAccess {
  /** Whether whoever pressed may read everything that the answer's queries read. */
  mayRead(press: ChatPress, record: RunRecord, signal: AbortSignal): Promise<boolean>
  /** Whether the asker may show the answer, which they alone see and may still see, to everybody in the channel. */
  mayPublish(record: PressedRecord, signal: AbortSignal): Promise<boolean>
}

/** By the operator's rules, or by none where there are none: then whoever sees an answer may read what it rests on. */
export function createPressAccess(desk: Pick<AccessDesk, 'mayRead' | 'mayPublish'>): PressAccess {
  // By the place where it was asked: a button may be pressed in a direct message, which has no channel.
  function mayRead(user: string, { place, queries, access }: PressedRecord, signal: AbortSignal): Promise<boolean> {
    const written = queries.filter(({ sql }) => sql !== null)
    const tables = written.every(query => query.tables !== null) ? written.flatMap(query => query.tables ?? []) : undefined
    return desk.mayRead(place, user, { tables, access }, signal)
  }

  return {
    mayRead: ({ user }, record, signal) => mayRead(user, record, signal),
    mayPublish: async (record, signal) =>
      (await desk.mayPublish(record.place, record.author, signal)) && (await mayRead(record.author, record, signal)),
  }
}
