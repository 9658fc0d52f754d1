import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import type { ChatBody } from './endpoint-rules.ts'

/** One request, served or refused. */
export interface ScriptedCall {
  /** The value of the `x-clew-step` header. */
  readonly step: string
  /** The number of this served call within its step, from 0. -1 for a refused call. */
  readonly index: number
  readonly headers: IncomingHttpHeaders
  readonly body: ChatBody
  readonly arrivedAt: number
  /** Resolves at the end of the exchange. True if the client left before the end of the answer. */
  readonly left: Promise<boolean>
}

export interface Exchange {
  readonly call: ScriptedCall
  readonly response: ServerResponse
  /** Aborted when the client has left. */
  readonly gone: AbortSignal
}

/** The endpoint's reaction to one request. */
export type ModelScript = (exchange: Exchange) => Promise<void>
