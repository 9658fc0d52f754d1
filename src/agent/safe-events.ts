import type { RunContext } from './run-context.ts'
import type { RunEvent } from './run-event.ts'
import { withSafeLinks } from './safe-links.ts'

/** What leaves the run is safe to show while it grows, too. */
export function withSafeEvents(context: RunContext): RunContext {
  const safe = (text: string) => withSafeLinks(text, context.deps.settings.linkHosts)
  const safeEvent = (event: RunEvent): RunEvent => {
    // Made safe when it is looked at: the answer grows by a sentence much more often than it is shown, and all of it is parsed for that.
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
