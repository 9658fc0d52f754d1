import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'
import { streamSSE } from 'hono/streaming'
import { errorMessage } from '../base/errors.ts'
import type { Logger } from '../base/logger.ts'
import { Places } from '../base/places.ts'
import { rightsOf } from '../queue/deliver/reply-rights.ts'
import { abortable } from '../store/abortable.ts'
import type { HttpEnv } from './app.ts'
import { HTTP_LIMITS } from './limits.ts'
import { Problem } from './problem.ts'
import type { WriteTurn } from './turn-bodies.ts'
import { FIRST_EVENT, type TurnClient } from './turn-client.ts'
import { isTurn } from './turn-events.ts'

export interface EventStreamsDeps {
  readonly turns: Pick<TurnClient, 'follow' | 'find'>
  readonly bodies: WriteTurn
  readonly logger: Logger
  /** Aborts when the process stops. All streams then end, and clients connect to another process. */
  readonly signal: AbortSignal
}

/**
 * Returns a function that answers with a turn's events after the one that the client had last (`Last-Event-ID`), or with 204 if
 * none comes any more, which tells a browser not to connect again. The open streams are bounded, those of the process and those of
 * each token or person. The function calls `start` for the id of the turn if there is room, and throws Problem.
 */
export function eventStreams({ turns, bodies, logger, signal: stopped }: EventStreamsDeps) {
  const places = new Places({ all: HTTP_LIMITS.streams, ofOne: HTTP_LIMITS.streamsOfToken })
  return async (context: Context<HttpEnv>, start: () => Promise<string> | string): Promise<Response> => {
    const caller = context.get('caller')
    const owner = caller.token.person ?? caller.token.id
    const after = context.req.header('Last-Event-ID') ?? FIRST_EVENT
    if (!/^\d{1,15}-\d{1,15}$/.test(after)) throw new Problem(400, 'invalid_request', 'Last-Event-ID is no id of an event.')
    const left = new AbortController()
    const signal = AbortSignal.any([stopped, left.signal, AbortSignal.timeout(HTTP_LIMITS.streamMs)])
    const leave = places.take(owner)
    if (leave === undefined) throw Problem.busy('too_many_streams', 'Too many streams are open, of this token or of all.')
    try {
      const turn = await start()
      const events = await turns.follow(caller, turn, after, signal)
      if (events === undefined) {
        leave()
        return context.body(null, 204)
      }
      // Without this header, nginx holds events back.
      context.header('X-Accel-Buffering', 'no')
      return streamSSE(context, async stream => {
        stream.onAbort(() => left.abort())
        // A reader that takes nothing for so long is cut off. It would keep its place for good.
        const write = (piece: string | Uint8Array) =>
          abortable(stream.write(piece), AbortSignal.any([signal, AbortSignal.timeout(HTTP_LIMITS.sendMs)])).catch(error => {
            breakOff(context)
            throw error
          })
        const tell = (event: string, data: unknown, id?: string) =>
          write(`event: ${event}\ndata: ${JSON.stringify(data)}\n${id === undefined ? '' : `id: ${id}\n`}\n`)
        try {
          for await (const event of events) {
            // Who has signed out, lost a token or has other rights now gets nothing more, even on a stream that was open before.
            const now = await context.get('callerNow')()
            if (rightsOf(now.access) !== rightsOf(caller.access)) throw Problem.accessChanged()
            if (event === undefined) await write(':\n\n')
            else if (isTurn(event)) {
              // If the turn cannot be written, nothing of its event is: the problem is an event of its own.
              let head = `event: ${event.kind}\ndata: `
              const writeBody = async (piece: Uint8Array) => {
                if (head !== '') await write(head)
                head = ''
                await write(piece)
              }
              await bodies(await turns.find(caller, turn, signal), writeBody, { owner, signal })
              await write(`\nid: ${event.id}\n\n`)
            } else await tell(event.kind, event.data, event.id)
          }
        } catch (error) {
          if (error instanceof Problem) await tell('problem', error.toJson()).catch(() => undefined)
          else if (!signal.aborted) {
            breakOff(context)
            logger.warn({ turn, error: errorMessage(error) }, 'a stream of events broke off')
          }
        } finally {
          leave()
        }
      })
    } catch (error) {
      leave()
      throw error
    }
  }
}

/** Breaks a connection, because half of what was to be sent was. A reader that is too slow, or gone, then keeps nothing in memory. */
export function breakOff({ env }: Context): void {
  const { outgoing } = env as Partial<HttpBindings>
  outgoing?.destroy()
}
