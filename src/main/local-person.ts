import { userInfo } from 'node:os'
import type { Analyst } from '../agent/analyst.ts'
import { asRun, subjectAtHand } from '../base/watched-work.ts'

/** Returns the name of the person who has started this process, as the audit log shows it. */
export function localPerson(): string {
  return `terminal/${encodeURIComponent(userName())}`
}

/** Wraps an analyst so that a run of no platform belongs to the person who has started this process. */
export function ofLocalPerson(analyst: Pick<Analyst, 'ask'>): Pick<Analyst, 'ask'> {
  return {
    ask(question, signal) {
      if (subjectAtHand().run !== undefined) return analyst.ask(question, signal)
      const place = { platform: 'terminal', channel: '' }
      return asRun({ id: question.runId, person: localPerson(), place }, () => analyst.ask(question, signal))
    },
  }
}

function userName(): string {
  try {
    return userInfo().username
  } catch {
    // A container may run as a user without an entry in the list of users.
    return String(process.getuid?.() ?? 'unknown')
  }
}
