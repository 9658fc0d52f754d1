import { userInfo } from 'node:os'
import type { Subject } from '../base/watched-work.ts'

/** Returns the person who has started this process, as the audit log names them. */
export function localSubject(): Required<Pick<Subject, 'person' | 'place'>> {
  return { person: `terminal/${encodeURIComponent(userName())}`, place: { platform: 'terminal', channel: '' } }
}

function userName(): string {
  try {
    return userInfo().username
  } catch {
    // A container may run as a user without an entry in the list of users.
    return String(process.getuid?.() ?? 'unknown')
  }
}
