import type { LinkHost } from '../../base/text/link-hosts.ts'
import { withSafeLinks } from '../write/safe-links.ts'
import type { RunEvent, RunObserver } from './event.ts'

/** Returns an observer that makes the links in a run's events safe before it passes the events on. */
export function withSafeEvents(observe: RunObserver, linkHosts: readonly LinkHost[]): RunObserver {
  const safe = (text: string) => withSafeLinks(text, linkHosts)
  const safeEvent = (event: RunEvent): RunEvent => {
    // The text is made safe only when somebody reads it. That parses the whole answer, and most states of a growing answer are
    // never shown.
    if (event.kind === 'answer_grown') {
      const { markdown } = event
      return {
        ...event,
        get markdown() {
          return safe(markdown)
        },
      }
    }
    if (event.kind === 'query_finished' && event.table !== undefined) {
      const { table } = event
      return {
        ...event,
        get table() {
          return safe(table)
        },
      }
    }
    return event
  }
  return event => observe(safeEvent(event))
}
