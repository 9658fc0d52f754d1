import type { WebSocket } from 'ws'
import type { JsonObject } from './json.ts'

/** One event that one session gets. It is sent at once, or when a disconnected session resumes. */
export interface Delivery {
  readonly event: string
  readonly data: JsonObject
  readonly sessionId: string
  readonly sequence: number
  /** True if this event is a repetition of an earlier one. Discord may send duplicates (reference, "Consistency"). */
  readonly isRedelivery: boolean
  /** True if the client has confirmed, by a heartbeat or a resume, that it has received this event. */
  isAcknowledged: boolean
}

/** A client's session. It continues without a connection: it collects events, and sends them when the client resumes. */
export interface GatewaySession {
  readonly id: string
  readonly intents: number
  readonly shard: readonly [number, number]
  readonly deliveries: Delivery[]
  sequence: number
  /** The number of the latest event that the client has confirmed. */
  acknowledged: number
  connection: GatewayConnection | undefined
  /** The time of the disconnect on the emulator's clock. Undefined while the client is connected. */
  disconnectedAt: number | undefined
  /** True if the client can no longer resume the session. */
  isOver: boolean
}

export interface GatewayConnection {
  readonly socket: WebSocket
  session: GatewaySession | undefined
  /** True if the connection is open, but the emulator sends and answers nothing on it any more. */
  isFrozen: boolean
  readonly received: number[]
  /** True if the emulator has asked for a heartbeat (op 1), and the client has not sent it yet. */
  isHeartbeatRequested: boolean
  heartbeatTimer: NodeJS.Timeout | undefined
}

/** Sends an event over a connection, unless the connection is missing, frozen or closed. */
export function send(connection: GatewayConnection | undefined, payload: JsonObject): void {
  if (connection === undefined || connection.isFrozen || connection.socket.readyState !== connection.socket.OPEN) return
  connection.socket.send(JSON.stringify({ op: 0, d: null, s: null, t: null, ...payload }))
}
