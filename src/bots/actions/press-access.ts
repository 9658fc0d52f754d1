import type { AccessDesk } from '../../access/access-desk.ts'
import type { ChatPress } from '../chat-event.ts'
import type { RunRecord } from '../run-record.ts'

/** Whom an answer's buttons obey, beyond seeing them. */
export interface PressAccess {
  /** Whether whoever pressed may read everything that the answer's queries read. */
  mayRead(press: ChatPress, record: RunRecord, signal: AbortSignal): Promise<boolean>
  /** Whether the asker may show the answer, which they alone see, to everybody in the channel. */
  mayPublish(record: Pick<RunRecord, 'place' | 'author'>, signal: AbortSignal): Promise<boolean>
}

/** By the operator's rules, or by none where there are none: then whoever sees an answer may read what it rests on. */
export function createPressAccess(desk: Pick<AccessDesk, 'mayRead' | 'mayPublish'>): PressAccess {
  return {
    // By the place where it was asked: a button may be pressed in a direct message, which has no channel.
    mayRead: ({ user }, { place, queries, access }, signal) => {
      const written = queries.filter(({ sql }) => sql !== null)
      const tables = written.every(query => query.tables !== null) ? written.flatMap(query => query.tables ?? []) : undefined
      return desk.mayRead(place, user, { tables, access }, signal)
    },
    mayPublish: ({ place, author }, signal) => desk.mayPublish(place, author, signal),
  }
}
