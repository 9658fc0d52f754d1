import type { RunEvent } from '../agent/run/event.ts'

/** Returns the sentence about a run's event. Undefined if the event is too small to be told. */
export function progressSentence(event: RunEvent): string | undefined {
  switch (event.kind) {
    case 'question_understood':
      return `Understood: ${event.question}`
    case 'data_question_planned':
      return `${event.id}: ${event.question}`
    case 'query_finished':
      return event.ok ? `${event.id}: ${rowsText(event)} in ${Math.round(event.elapsedMs)} ms` : `${event.id} failed.`
    case 'query_narrowed':
      return `${event.id} is narrowed: ${event.why}`
    case 'model_busy':
      return event.isBusy ? 'The model cannot answer now; Clew tries again.' : undefined
    case 'replay_progressed':
      return event.line
    default:
      return undefined
  }
}

function rowsText({ rowCount }: { readonly rowCount: number }): string {
  return rowCount === 1 ? '1 row' : `${rowCount} rows`
}
