import type { WebSocket } from 'ws'
import type { JsonObject } from './json.ts'

/** One event that went, or will go at the next resume, to one session. */
export interface Delivery {
  readonly event: string
  readonly data: JsonObject
  readonly sessionId: string
  readonly sequence: number
  /** Sent once more although nothing happened: reference, "Consistency". */
  readonly isRedelivery: boolean
  /** The client has told, by a heartbeat or a resume, that it had this sequence. */
  isAcknowledged: boolean
}

/** What outlives a connection: events go on being counted and are replayed at a resume. */
export interface GatewaySession {
  readonly id: string
  readonly intents: number
  readonly shard: readonly [number, number]
  readonly deliveries: Delivery[]
  sequence: number
  /** How far the client has told that it has come. */
  acknowledged: number
  connection: GatewayConnection | undefined
  /** On the emulator's clock; undefined while connected. */
  disconnectedAt: number | undefined
  /** It cannot be resumed any more. */
  isOver: boolean
}

export interface GatewayConnection {
  readonly socket: WebSocket
  session: GatewaySession | undefined
  /** A zombie: it is open, but nothing comes or goes any more. */
  isFrozen: boolean
  readonly received: number[]
  /** Op 1 was sent and is not answered yet. */
  isHeartbeatRequested: boolean
  heartbeatTimer: NodeJS.Timeout | undefined
}

/** Sends a dispatch that the session has recorded, if it is connected. */
export function send(connection: GatewayConnection | undefined, payload: JsonObject): void {
  if (connection === undefined || connection.isFrozen || connection.socket.readyState !== connection.socket.OPEN) return
  connection.socket.send(JSON.stringify({ op: 0, d: null, s: null, t: null, ...payload }))
}
