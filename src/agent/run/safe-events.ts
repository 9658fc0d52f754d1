import { withSafeLinks } from '../write/safe-links.ts'
import type { RunContext } from './context.ts'
import type { RunEvent } from './event.ts'

/** Makes a run's events safe to show. */
export function withSafeEvents(context: RunContext): RunContext {
  const safe = (text: string) => withSafeLinks(text, context.deps.settings.linkHosts)
  const safeEvent = (event: RunEvent): RunEvent => {
    // Made safe on reading, because each change parses the whole answer and most changes are never shown.
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
  return { ...context, observe: event => context.observe(safeEvent(event)) }
}
