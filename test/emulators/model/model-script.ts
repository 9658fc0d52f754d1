import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import type { ChatBody } from './endpoint-rules.ts'

/** One request as it arrived, whether it was served or refused. */
export interface ScriptedCall {
  /** The `x-clew-step` header. */
  readonly step: string
  /** Counts the served calls of this step, from 0. Refused ones count as -1. */
  readonly index: number
  readonly headers: IncomingHttpHeaders
  readonly body: ChatBody
  readonly arrivedAt: number
  /** Resolves when the exchange is over: true when the client left before the answer's end. */
  readonly left: Promise<boolean>
}

export interface Exchange {
  readonly call: ScriptedCall
  readonly response: ServerResponse
  /** Aborted when the client has left. */
  readonly gone: AbortSignal
}

/** What the endpoint does with one request. */
export type ModelScript = (exchange: Exchange) => Promise<void>
