import type { WebSocket } from 'ws'
import type { JsonObject } from './json.ts'

/** One event for one session. It is sent at once, or at the session's next resume. */
export interface Delivery {
  readonly event: string
  readonly data: JsonObject
  readonly sessionId: string
  readonly sequence: number
  /** Whether this is a duplicate without a new cause. Source: reference, "Consistency". */
  readonly isRedelivery: boolean
  /** Whether the client has acknowledged this sequence, by a heartbeat or a resume. */
  isAcknowledged: boolean
}

/** A session. It outlives its connection: it counts further events, and a resume replays them. */
export interface GatewaySession {
  readonly id: string
  readonly intents: number
  readonly shard: readonly [number, number]
  readonly deliveries: Delivery[]
  sequence: number
  /** The highest sequence that the client has acknowledged. */
  acknowledged: number
  connection: GatewayConnection | undefined
  /** The time of the disconnect on the emulator's clock. Undefined while connected. */
  disconnectedAt: number | undefined
  /** Whether the session can no longer be resumed. */
  isOver: boolean
}

export interface GatewayConnection {
  readonly socket: WebSocket
  session: GatewaySession | undefined
  /** Whether the connection is open, but nothing is sent or answered on it any more. */
  isFrozen: boolean
  readonly received: number[]
  /** Whether op 1 was sent and not answered yet. */
  isHeartbeatRequested: boolean
  heartbeatTimer: NodeJS.Timeout | undefined
}

/** Sends a recorded event, if the session is connected. */
export function send(connection: GatewayConnection | undefined, payload: JsonObject): void {
  if (connection === undefined || connection.isFrozen || connection.socket.readyState !== connection.socket.OPEN) return
  connection.socket.send(JSON.stringify({ op: 0, d: null, s: null, t: null, ...payload }))
}
