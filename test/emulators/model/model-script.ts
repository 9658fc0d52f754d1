import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import type { ChatBody } from './endpoint-rules.ts'

/** One request to the scripted model, answered or refused. */
export interface ScriptedCall {
  /** The step that sends the request, as its header `x-clew-step` says. */
  readonly step: string
  /** Counts the answered requests of a step, from 0. A refused request has -1. */
  readonly index: number
  readonly headers: IncomingHttpHeaders
  readonly body: ChatBody
  readonly arrivedAt: number
  /** Resolves when the exchange ends. True if the client disconnected before the end of the answer. */
  readonly left: Promise<boolean>
}

export interface Exchange {
  readonly call: ScriptedCall
  readonly response: ServerResponse
  /** Aborts when the client has disconnected. */
  readonly gone: AbortSignal
}

/** A function that answers one request to the scripted model. */
export type ModelScript = (exchange: Exchange) => Promise<void>
