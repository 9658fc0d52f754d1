import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { type RawData, WebSocketServer } from 'ws'
import type { EmulatorClock } from '../slack/emulator-clock.ts'
import { DISCORD_LIMITS } from './discord-limits.ts'
import { CLOSE, type CloseReason, heartbeatSchema, identifySchema, OP, payloadSchema, resumeSchema } from './gateway-protocol.ts'
import { type Delivery, type GatewayConnection, type GatewaySession, send } from './gateway-session.ts'
import { INTENTS, KNOWN_INTENTS } from './intents.ts'
import type { JsonObject } from './json.ts'
import { SessionStarts } from './session-starts.ts'

/** An event for the bot. It is not yet known which sessions get it. */
export interface GatewayEvent {
  readonly event: string
  readonly guildId: string | undefined
  /** The intents that a session must have to get this event, as bits. 0 means that every session gets it. */
  readonly intents: number
  /** Returns the event's payload. The content of messages depends on the session's intents. */
  payload(session: { readonly hasMessageContent: boolean }): JsonObject
}

export interface GatewayDeps {
  readonly clock: EmulatorClock
  readonly heartbeatIntervalMs: number
  readonly allowedIntents: number
  /** Returns whether a bot token is valid. */
  readonly accepts: (token: string) => boolean
  readonly revokeToken: () => void
  readonly readyPayload: (session: { readonly id: string; readonly shard: readonly [number, number] }) => JsonObject
  /** Returns the events that a new session gets after READY. */
  readonly afterReady: () => readonly GatewayEvent[]
  readonly onChange: () => void
}

/**
 * Discord's gateway, version 10, in JSON without compression. Heartbeats use real time, because the client's heartbeats do. All other time
 * limits use the emulator's clock.
 */
export class Gateway {
  /** Counts how many sessions were started with IDENTIFY. */
  readonly starts: SessionStarts
  readonly #deps: GatewayDeps
  readonly #server = new WebSocketServer({ noServer: true })
  readonly #sessions = new Map<string, GatewaySession>()
  readonly #connections = new Set<GatewayConnection>()
  #isRefusing = false

  constructor(deps: GatewayDeps) {
    this.#deps = deps
    this.starts = new SessionStarts(deps.clock)
  }

  attach(server: Server): void {
    server.on('upgrade', (request, socket, head) => this.#upgrade(request, socket, head))
  }

  /** Returns the number of sessions that are connected now. */
  connected(): number {
    return [...this.#sessions.values()].filter(session => session.connection !== undefined).length
  }

  /** Returns the number of sessions that clients have started with IDENTIFY. */
  identified(): number {
    return this.starts.total()
  }

  /** Returns the events that were sent to all sessions, in order. With `event`, returns only events of this name. */
  deliveries(event?: string): readonly Delivery[] {
    return [...this.#sessions.values()]
      .flatMap(session => session.deliveries)
      .filter(delivery => event === undefined || delivery.event === event)
  }

  /** True if a client is connected, and all clients have confirmed all events. */
  isHeard(): boolean {
    const connected = [...this.#sessions.values()].filter(session => session.connection !== undefined)
    return connected.length > 0 && connected.every(session => session.acknowledged === session.sequence)
  }

  dispatch(event: GatewayEvent): readonly Delivery[] {
    return [...this.#sessions.values()]
      .filter(session => !session.isOver || session.connection !== undefined)
      .flatMap(session => this.#deliver(session, event) ?? [])
  }

  /** Sends an event once more, with a new sequence number, as a duplicate. */
  redeliver(delivery: Delivery): Delivery {
    const session = this.#sessions.get(delivery.sessionId)
    if (session === undefined) throw new Error('The session of that event is over')
    return this.#record(session, { event: delivery.event, data: delivery.data, isRedelivery: true })
  }

  /** Asks all clients for a heartbeat (op 1). Each answers with its latest sequence number, which confirms all earlier events. */
  requestHeartbeats(): void {
    for (const connection of this.#connections) {
      if (connection.isHeartbeatRequested) continue
      connection.isHeartbeatRequested = true
      send(connection, { op: OP.heartbeat })
    }
  }

  /** Sends op 7, which asks all clients to reconnect and resume. */
  requestReconnect(): void {
    for (const connection of this.#connections) send(connection, { op: OP.reconnect })
  }

  /** Sends op 9, which invalidates all sessions. With `resumable` false, clients must start new sessions. */
  invalidateSessions(options: { readonly resumable: boolean }): void {
    for (const connection of this.#connections) {
      if (options.resumable) this.#detach(connection)
      else this.#forget(connection.session)
      send(connection, { op: OP.invalidSession, d: options.resumable })
    }
  }

  /** Forgets all sessions without telling the clients. A client that tries to resume gets op 9. */
  forgetSessions(): void {
    for (const session of this.#sessions.values()) session.isOver = true
  }

  /** Closes every connection with a close code: one of Discord's gateway, or a WebSocket code from 1000 on. */
  closeConnections(code: number, reason = ''): void {
    for (const connection of [...this.#connections]) {
      if (code === 1000 || code === 1001) this.#forget(connection.session)
      this.#detach(connection)
      connection.socket.close(code, reason)
    }
  }

  /** Breaks every connection without a close frame, as a network failure does. */
  dropConnections(): void {
    for (const connection of [...this.#connections]) {
      this.#detach(connection)
      connection.socket.terminate()
    }
  }

  /** Keeps all connections open, but sends and answers nothing more. Later events wait until the client resumes. */
  freezeConnections(): void {
    for (const connection of this.#connections) {
      connection.isFrozen = true
      clearTimeout(connection.heartbeatTimer)
    }
  }

  /** Refuses new connections with HTTP 503, or accepts them again. */
  refuseConnections(refuse: boolean): void {
    this.#isRefusing = refuse
  }

  async close(): Promise<void> {
    for (const connection of [...this.#connections]) {
      clearTimeout(connection.heartbeatTimer)
      connection.socket.terminate()
    }
    await new Promise<void>(resolve => this.#server.close(() => resolve()))
  }

  #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const { searchParams, pathname } = new URL(request.url ?? '/', 'ws://127.0.0.1')
    if (this.#isRefusing || !pathname.startsWith('/gateway')) {
      socket.end(`HTTP/1.1 ${this.#isRefusing ? '503 Service Unavailable' : '404 Not Found'}\r\nConnection: close\r\n\r\n`)
      return
    }
    this.#server.handleUpgrade(request, socket, head, webSocket => {
      const isPlain = searchParams.get('encoding') === 'json' && !searchParams.has('compress')
      if (searchParams.get('v') !== '10' || !isPlain) {
        webSocket.close(CLOSE.invalidVersion.code, isPlain ? CLOSE.invalidVersion.reason : 'The emulator speaks plain JSON')
        return
      }
      const connection: GatewayConnection = {
        socket: webSocket,
        session: undefined,
        isFrozen: false,
        received: [],
        isHeartbeatRequested: false,
        heartbeatTimer: undefined,
      }
      this.#connections.add(connection)
      webSocket.on('error', () => webSocket.terminate())
      webSocket.on('close', code => this.#closed(connection, code))
      webSocket.on('message', data => this.#receive(connection, data))
      send(connection, { op: OP.hello, d: { heartbeat_interval: this.#deps.heartbeatIntervalMs } })
      this.#watchHeartbeat(connection)
    })
  }

  #watchHeartbeat(connection: GatewayConnection): void {
    clearTimeout(connection.heartbeatTimer)
    const close = () => connection.socket.close(CLOSE.timedOut.code, CLOSE.timedOut.reason)
    connection.heartbeatTimer = setTimeout(close, 2 * this.#deps.heartbeatIntervalMs).unref()
  }

  #closed(connection: GatewayConnection, code: number): void {
    clearTimeout(connection.heartbeatTimer)
    this.#connections.delete(connection)
    const { session } = connection
    this.#detach(connection)
    if (code === 1000 || code === 1001) this.#forget(session)
    this.#deps.onChange()
  }

  #receive(connection: GatewayConnection, raw: RawData): void {
    if (connection.isFrozen) return
    const refusal = this.#read(connection, raw)
    if (refusal !== undefined) connection.socket.close(refusal.code, refusal.reason)
    this.#deps.onChange()
  }

  /** @returns the reason for closing the connection, or undefined if the message was right */
  #read(connection: GatewayConnection, raw: RawData): CloseReason | undefined {
    if (!this.#countEvent(connection)) return CLOSE.rateLimited
    const text = raw.toString()
    if (Buffer.byteLength(text) > DISCORD_LIMITS.gatewayEventBytes) return CLOSE.decodeError
    const payload = payloadSchema.safeParse(parseJson(text))
    if (!payload.success) return CLOSE.decodeError
    const { op, d } = payload.data
    if (op === OP.heartbeat) return this.#heartbeat(connection, d)
    if (op === OP.identify) return this.#identify(connection, d)
    if (op === OP.resume) return this.#resume(connection, d)
    if (op !== OP.presence && op !== OP.voice && op !== OP.requestMembers) return CLOSE.unknownOpcode
    return connection.session === undefined ? CLOSE.notAuthenticated : undefined
  }

  /** Counts a message from the client for the rate limit. Requested heartbeats do not count. @returns false if there were too many */
  #countEvent(connection: GatewayConnection): boolean {
    const now = this.#deps.clock.now()
    const { events, windowMs } = DISCORD_LIMITS.gatewayEvents
    if (!connection.isHeartbeatRequested) connection.received.push(now)
    return connection.received.filter(at => at > now - windowMs).length <= events
  }

  #heartbeat(connection: GatewayConnection, data: unknown): CloseReason | undefined {
    const sequence = heartbeatSchema.safeParse(data)
    if (!sequence.success) return CLOSE.decodeError
    this.#watchHeartbeat(connection)
    connection.isHeartbeatRequested = false
    acknowledge(connection.session, sequence.data ?? 0)
    send(connection, { op: OP.acknowledge })
    return undefined
  }

  #identify(connection: GatewayConnection, data: unknown): CloseReason | undefined {
    const identify = identifySchema.safeParse(data)
    if (!identify.success) return CLOSE.decodeError
    if (connection.session !== undefined) return CLOSE.alreadyAuthenticated
    const { token, intents, shard } = identify.data
    if (!this.#deps.accepts(token)) return CLOSE.authenticationFailed
    if (shard[0] >= shard[1]) return CLOSE.invalidShard
    if ((intents & ~KNOWN_INTENTS) !== 0) return CLOSE.invalidIntents
    if ((intents & ~this.#deps.allowedIntents) !== 0) return CLOSE.disallowedIntents
    const start = this.starts.count(shard[0])
    if (start === 'too_soon') {
      send(connection, { op: OP.invalidSession, d: false })
      return undefined
    }
    if (start === 'too_many') this.#deps.revokeToken()
    const session: GatewaySession = {
      id: `session-${this.#sessions.size + 1}`,
      intents,
      shard,
      deliveries: [],
      sequence: 0,
      acknowledged: 0,
      connection,
      disconnectedAt: undefined,
      isOver: false,
    }
    this.#sessions.set(session.id, session)
    connection.session = session
    this.#record(session, { event: 'READY', data: this.#deps.readyPayload(session), isRedelivery: false })
    for (const event of this.#deps.afterReady()) this.#deliver(session, event)
    return undefined
  }

  #resume(connection: GatewayConnection, data: unknown): CloseReason | undefined {
    const resume = resumeSchema.safeParse(data)
    if (!resume.success) return CLOSE.decodeError
    if (connection.session !== undefined) return CLOSE.alreadyAuthenticated
    if (!this.#deps.accepts(resume.data.token)) return CLOSE.authenticationFailed
    const session = this.#sessions.get(resume.data.session_id)
    const now = this.#deps.clock.now()
    const isLate = session?.disconnectedAt !== undefined && now - session.disconnectedAt > DISCORD_LIMITS.resumableMs
    if (session === undefined || session.isOver || isLate) {
      this.#forget(session)
      send(connection, { op: OP.invalidSession, d: false })
      return undefined
    }
    const { seq } = resume.data
    if (seq < 0 || seq > session.sequence) return CLOSE.invalidSequence
    session.connection?.socket.terminate()
    session.connection = connection
    session.disconnectedAt = undefined
    connection.session = session
    acknowledge(session, seq)
    for (const delivery of session.deliveries.slice(seq)) transmit(session, delivery)
    this.#record(session, { event: 'RESUMED', data: {}, isRedelivery: false })
    return undefined
  }

  #deliver(session: GatewaySession, event: GatewayEvent): Delivery | undefined {
    if ((session.intents & event.intents) !== event.intents) return undefined
    if (shardOf(event.guildId, session.shard[1]) !== session.shard[0]) return undefined
    const data = event.payload({ hasMessageContent: (session.intents & INTENTS.messageContent) !== 0 })
    return this.#record(session, { event: event.event, data, isRedelivery: false })
  }

  #record(session: GatewaySession, what: Pick<Delivery, 'event' | 'data' | 'isRedelivery'>): Delivery {
    session.sequence += 1
    const delivery: Delivery = { ...what, sessionId: session.id, sequence: session.sequence, isAcknowledged: false }
    session.deliveries.push(delivery)
    transmit(session, delivery)
    return delivery
  }

  /** Separates a connection from its session. The session stays, so that the client can resume it. */
  #detach(connection: GatewayConnection): void {
    const { session } = connection
    connection.session = undefined
    if (session?.connection !== connection) return
    session.connection = undefined
    session.disconnectedAt = this.#deps.clock.now()
  }

  #forget(session: GatewaySession | undefined): void {
    if (session === undefined) return
    if (session.connection !== undefined) session.connection.session = undefined
    session.connection = undefined
    session.isOver = true
  }
}

/**
 * Returns the shard for a server's events. Events outside a server go to the first shard. Discord documents this in events/gateway, "Sharding
 * Formula".
 */
export function shardOf(guildId: string | undefined, shards: number): number {
  return guildId === undefined ? 0 : Number((BigInt(guildId) >> 22n) % BigInt(shards))
}

function transmit(session: GatewaySession, delivery: Delivery): void {
  send(session.connection, { op: 0, d: delivery.data, s: delivery.sequence, t: delivery.event })
}

/** Events are numbered from 1. So a sequence number tells how many events the client has received. */
function acknowledge(session: GatewaySession | undefined, sequence: number): void {
  if (session === undefined || sequence <= session.acknowledged) return
  for (const delivery of session.deliveries.slice(session.acknowledged, sequence)) delivery.isAcknowledged = true
  session.acknowledged = Math.min(sequence, session.sequence)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
