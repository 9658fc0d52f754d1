import type { WebSocket } from 'ws'
import type { JsonObject } from './json.ts'

/** One event sent to one session, or to be sent at its next resume. */
export interface Delivery {
  readonly event: string
  readonly data: JsonObject
  readonly sessionId: string
  readonly sequence: number
  /** A duplicate without a new cause: reference, "Consistency". */
  readonly isRedelivery: boolean
  /** The client has acknowledged this sequence by a heartbeat or a resume. */
  isAcknowledged: boolean
}

/** A session that survives its connection: it counts further events, and a resume replays them. */
export interface GatewaySession {
  readonly id: string
  readonly intents: number
  readonly shard: readonly [number, number]
  readonly deliveries: Delivery[]
  sequence: number
  /** The highest sequence that the client has acknowledged. */
  acknowledged: number
  connection: GatewayConnection | undefined
  /** On the emulator's clock; undefined while connected. */
  disconnectedAt: number | undefined
  /** It can no longer be resumed. */
  isOver: boolean
}

export interface GatewayConnection {
  readonly socket: WebSocket
  session: GatewaySession | undefined
  /** An open connection on which nothing is sent or answered any more. */
  isFrozen: boolean
  readonly received: number[]
  /** Op 1 was sent and not answered yet. */
  isHeartbeatRequested: boolean
  heartbeatTimer: NodeJS.Timeout | undefined
}

/** Sends a recorded dispatch if the session is connected. */
export function send(connection: GatewayConnection | undefined, payload: JsonObject): void {
  if (connection === undefined || connection.isFrozen || connection.socket.readyState !== connection.socket.OPEN) return
  connection.socket.send(JSON.stringify({ op: 0, d: null, s: null, t: null, ...payload }))
}
