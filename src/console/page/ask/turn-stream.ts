import type { RunResult } from '../../../agent/run/result.ts'
import type { TurnSummary } from '../../../http/turn.ts'
import type { TurnEvent } from '../../../http/turn-events.ts'
import { call, type PageProblem, pageProblem } from '../api.ts'

/** A turn with its result, as `GET /v1/turns/{id}` answers. */
export type Turn = Omit<TurnSummary, 'answer'> & { readonly result: RunResult | null }

/** An event of a turn, or that the server does not answer now. */
export type Told = TurnEvent | { readonly kind: 'away' }

const EVENTS = ['start', 'plan', 'query', 'rows', 'sentences', 'notice', 'answer', 'question', 'error', 'problem'] as const
const LAST: readonly string[] = EVENTS.slice(-4)
/** The wait before the page asks again, once the browser has given up. */
const WAIT_MS = 2_000

export function isOver({ status }: Pick<TurnSummary, 'status'>): boolean {
  return status !== 'queued' && status !== 'running'
}

/**
 * Follows a turn to its end, and returns it then. The browser opens a broken stream again behind its last event.
 * @throws PageProblem if the server refuses
 */
export function followTurn(id: string, tell: (told: Told) => void, signal: AbortSignal): Promise<Turn> {
  const path = `/v1/turns/${id}`
  return new Promise((resolve, reject) => {
    const look = () => call<Turn>(path, { signal }).then(turn => (isOver(turn) ? resolve(turn) : listen()), failed)
    const later = () => setTimeout(() => signal.aborted || look(), WAIT_MS)
    const failed = (problem: PageProblem) => {
      // The server refuses for good, unless it is busy.
      if (problem.status >= 400 && problem.status < 500 && problem.status !== 429) return reject(problem)
      tell({ kind: 'away' })
      later()
    }
    const listen = () => {
      const source = new EventSource(path)
      signal.addEventListener('abort', () => source.close())
      const hear = (event: Event) => {
        const data = event instanceof MessageEvent ? JSON.parse(event.data) : undefined
        if (data !== undefined && !LAST.includes(event.type)) return tell({ kind: event.type, data } as TurnEvent)
        // The browser itself tells that the stream is broken, or that it has given up: all events are read, or the server refuses.
        if (data === undefined) return source.readyState === EventSource.CLOSED ? later() : tell({ kind: 'away' })
        source.close()
        return event.type === 'problem' ? failed(pageProblem(data.status, data.detail)) : resolve(data)
      }
      for (const name of EVENTS) source.addEventListener(name, hear)
    }
    look()
  })
}
