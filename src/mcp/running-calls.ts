import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js'
import type { ServerNotification, ServerRequest } from '@modelcontextprotocol/sdk/types.js'
import { ClewError } from '../base/errors.ts'
import { MCP_LIMITS } from './limits.ts'

/** The SDK's facts about a call. */
export type CallExtra = RequestHandlerExtra<ServerRequest, ServerNotification>

/** Runs a call with its bounds, and turns its failure into a sentence. */
export type BoundedCall = <Value>(extra: CallExtra, work: (signal: AbortSignal) => Promise<Value>) => Promise<Value>

/** The calls that run now. Bounds their number for each caller, and cancels them. */
export class RunningCalls {
  /** Each with the id that the client has given to the request. */
  readonly #calls = new Set<{ readonly caller: string; readonly id: string | number; readonly controller: AbortController }>()

  /** @throws ClewError `busy` if the caller has too many calls already */
  async run<Value>(
    caller: string,
    { requestId: id, signal }: Pick<CallExtra, 'requestId' | 'signal'>,
    work: (signal: AbortSignal) => Promise<Value>,
  ): Promise<Value> {
    if (this.#of(caller).length >= MCP_LIMITS.callsAtOnce) {
      const message = `${MCP_LIMITS.callsAtOnce} calls run already: wait until one has ended.`
      throw new ClewError(message, { code: 'busy', retryable: true })
    }
    const call = { caller, id, controller: new AbortController() }
    this.#calls.add(call)
    try {
      return await work(AbortSignal.any([signal, call.controller.signal]))
    } finally {
      this.#calls.delete(call)
    }
  }

  /**
   * Cancels a call of the caller. Does nothing if two calls have this id, because two clients of one caller may count alike, and
   * neither may end the other's call.
   */
  cancel(caller: string, id: string | number): void {
    const [call, another] = this.#of(caller).filter(each => each.id === id)
    if (another === undefined) call?.controller.abort()
  }

  #of(caller: string) {
    return [...this.#calls].filter(each => each.caller === caller)
  }
}
