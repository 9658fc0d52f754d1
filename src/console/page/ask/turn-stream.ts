import { EventSourceParserStream } from 'eventsource-parser/stream'
import type { RunResult } from '../../../agent/run/result.ts'
import type { TurnSummary } from '../../../http/turn.ts'
import type { TurnEvent } from '../../../http/turn-events.ts'
import { call, PageProblem, send } from '../api.ts'

/** A turn with its result, as `GET /v1/turns/{id}` answers. */
export type Turn = Omit<TurnSummary, 'answer'> & { readonly result: RunResult | null }

/** An event of a turn, or that the server does not answer now. */
export type Told = TurnEvent | { readonly kind: 'away' }

/** The waits before the stream is opened again, in milliseconds. The last one repeats. */
const WAITS = [500, 1_000, 2_000, 5_000] as const

/**
 * Follows a turn to its end, and returns it then. A broken stream is opened again behind its last event.
 * @throws PageProblem if the server refuses; the signal's reason
 */
export async function followTurn(id: string, tell: (told: Told) => void, signal: AbortSignal): Promise<Turn> {
  const path = `/v1/turns/${id}`
  let last: string | undefined
  for (let failures = 0; ; failures++) {
    try {
      const headers = { Accept: 'text/event-stream', ...(last !== undefined && { 'Last-Event-ID': last }) }
      const { status, body } = await send(path, { headers, signal })
      if (status === 204 || body === null) return await call<Turn>(path, { signal })
      const events = body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream())
      for await (const { id: eventId, event = '', data: text } of events) {
        failures = 0
        const data = JSON.parse(text)
        if (event === 'problem') throw new PageProblem(data.status, data.code, data.detail)
        if (event === 'answer' || event === 'question' || event === 'error') return data
        last = eventId
        tell({ kind: event, data } as TurnEvent)
      }
    } catch (error) {
      signal.throwIfAborted()
      // The server refuses for good, unless it is busy.
      if (error instanceof PageProblem && error.status >= 400 && error.status < 500 && error.status !== 429) throw error
      tell({ kind: 'away' })
    }
    await wait(WAITS[failures] ?? WAITS[3], signal)
  }
}

function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(signal.reason)
    })
  })
}
