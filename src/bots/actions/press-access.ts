import type { AccessControl } from '../../access/control.ts'
import type { ChatPress } from '../../chat/event.ts'
import type { RunRecord } from './run-record.ts'

type PressedRecord = Pick<RunRecord, 'place' | 'author' | 'queries' | 'access' | 'draft'>

/** Decides which people may use an answer's buttons. */
export interface PressAccess {
  /** Whether the person may read everything that the answer's queries, or its draft of a pipeline, read. */
  mayRead(press: ChatPress, record: RunRecord, signal: AbortSignal): Promise<boolean>
  /** Whether the asker may show a private answer in the channel. The asker must still have the right to see the answer. */
  mayPublish(record: PressedRecord, signal: AbortSignal): Promise<boolean>
}

/** Decides by the operator's access rules. Without rules, everybody who sees an answer may read its tables. */
export function createPressAccess(accessControl: Pick<AccessControl, 'mayRead' | 'mayPublish'>): PressAccess {
  // The check uses the place of the question. The place of the press may be a direct message, which has no channel.
  function mayRead(user: string, { place, queries, access, draft }: PressedRecord, signal: AbortSignal): Promise<boolean> {
    const written = [...queries.filter(({ sql }) => sql !== null), ...(draft === undefined ? [] : [draft])]
    const tables = written.every(query => query.tables !== null) ? written.flatMap(query => query.tables ?? []) : undefined
    return accessControl.mayRead(place, user, { tables, access }, signal)
  }

  return {
    mayRead: ({ user }, record, signal) => mayRead(user, record, signal),
    mayPublish: async (record, signal) =>
      (await accessControl.mayPublish(record.place, record.author, signal)) && (await mayRead(record.author, record, signal)),
  }
}
