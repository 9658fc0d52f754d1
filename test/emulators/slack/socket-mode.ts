import { randomUUID } from 'node:crypto'
import type { Server } from 'node:http'
import { type WebSocket, WebSocketServer } from 'ws'
import { z } from 'zod'
import type { EmulatorClock, ScheduledTask } from './emulator-clock.ts'
import { SLACK_LIMITS } from './slack-limits.ts'

export type EnvelopeType = 'events_api' | 'slash_commands' | 'interactive'

/** One attempt to send a delivery to the app. */
export interface DeliveryAttempt {
  readonly envelopeId: string
  /** 0 for the first attempt, 1 to 3 for repetitions. */
  readonly retry: number
  /** The number of the connection. Undefined over HTTP. Also undefined if no connection was open, which counts as a failed attempt. */
  readonly connection: number | undefined
  /** The time of the attempt, in milliseconds since the emulator started. */
  readonly sentAt: number
  /** The milliseconds until the app acknowledged. Set even if this was too late. */
  ackMs: number | undefined
  /** The HTTP status of the app's answer. Undefined over Socket Mode. */
  status?: number
}

/** Sends events, commands and interactions to the app, over Socket Mode or HTTP. */
export interface Deliverer {
  deliver(type: EnvelopeType, payload: Delivery['payload']): Delivery
}

/** One event, command or interaction that is sent to the app. */
export interface Delivery {
  readonly type: EnvelopeType
  readonly payload: { readonly [key: string]: unknown }
  readonly attempts: DeliveryAttempt[]
  state: 'held' | 'pending' | 'acknowledged' | 'given_up'
  /** The content of the app's acknowledgement. Undefined if it has none. */
  response: { readonly [key: string]: unknown } | undefined
}

/**
 * The reasons for a disconnect: docs.slack.dev/apis/events-api/using-socket-mode, "Disconnecting". `too_many_websockets` is from
 * node-slack-sdk#1654.
 */
export type DisconnectReason = 'warning' | 'refresh_requested' | 'link_disabled' | 'too_many_websockets'

const CLOSE_MS = 1_000

const acknowledgementSchema = z.object({ envelope_id: z.string(), payload: z.record(z.string(), z.unknown()).optional() })

interface Connection {
  readonly id: number
  readonly socket: WebSocket
}

/**
 * Slack's Socket Mode. It opens connections for URLs from `apps.connections.open`, and sends each delivery over one of them. It enforces the 3 s
 * limit for acknowledgements, repeats deliveries, and ends connections in Slack's ways.
 */
export class SocketMode {
  readonly deliveries: Delivery[] = []
  readonly #clock: EmulatorClock
  readonly #appId: string
  readonly #onChange: () => void
  readonly #onResponse: (delivery: Delivery) => void
  readonly #server = new WebSocketServer({ noServer: true })
  readonly #tickets = new Set<string>()
  readonly #connections = new Map<number, Connection>()
  readonly #waiting = new Map<string, { delivery: Delivery; attempt: DeliveryAttempt; deadline: ScheduledTask }>()
  #opened = 0
  #turn = 0
  #holding = false
  #enabled = true

  constructor(options: {
    clock: EmulatorClock
    appId: string
    onChange: () => void
    onResponse: (delivery: Delivery) => void
  }) {
    this.#clock = options.clock
    this.#appId = options.appId
    this.#onChange = options.onChange
    this.#onResponse = options.onResponse
  }

  /** Accepts WebSocket connections on the emulator's HTTP server. */
  attach(server: Server): void {
    server.on('upgrade', (request, socket, head) => {
      const ticket = new URL(request.url ?? '/', 'http://localhost').searchParams.get('ticket') ?? ''
      if (!this.#tickets.delete(ticket)) {
        socket.end('HTTP/1.1 404 Not Found\r\nConnection: close\r\n\r\n')
        return
      }
      this.#server.handleUpgrade(request, socket, head, webSocket => this.#accept(webSocket))
    })
  }

  /**
   * Returns a ticket for one connection, which becomes a part of the URL from `apps.connections.open`. Returns undefined while Socket Mode is
   * switched off.
   */
  issueTicket(): string | undefined {
    if (!this.#enabled) return undefined
    const ticket = randomUUID()
    this.#tickets.add(ticket)
    return ticket
  }

  /** Returns the ids of the open connections, oldest first. */
  connections(): readonly number[] {
    return [...this.#connections.keys()]
  }

  /** Returns how many connections were ever opened. A high number shows that the client reconnects too often. */
  openedConnections(): number {
    return this.#opened
  }

  /** Sends a delivery over one of the open connections, in turn. After `hold`, keeps it back instead. */
  deliver(type: EnvelopeType, payload: Delivery['payload']): Delivery {
    const delivery: Delivery = {
      type,
      payload,
      attempts: [],
      state: this.#holding ? 'held' : 'pending',
      response: undefined,
    }
    this.deliveries.push(delivery)
    if (!this.#holding) this.#attempt(delivery, 0)
    return delivery
  }

  /** Keeps all deliveries back until `release` is called. */
  hold(): void {
    this.#holding = true
  }

  /** Sends the deliveries that were kept back. `order` may change their order. */
  release(order: (held: readonly Delivery[]) => readonly Delivery[] = held => held): void {
    this.#holding = false
    const held = this.deliveries.filter(delivery => delivery.state === 'held')
    for (const delivery of order(held)) {
      delivery.state = 'pending'
      this.#attempt(delivery, 0)
    }
  }

  /** Sends an event again, as Slack does without an acknowledgement. The app may already have handled the event. */
  redeliver(delivery: Delivery): void {
    delivery.state = 'pending'
    this.#attempt(delivery, Math.max(1, ...delivery.attempts.map(attempt => attempt.retry + 1)))
  }

  /** Ends connections as Slack does. First sends a `disconnect` message, then closes the connection (after a warning, 10 s later). */
  disconnect(reason: DisconnectReason, connection?: number): void {
    if (reason === 'link_disabled') this.#enabled = false
    for (const target of this.#targets(connection)) this.#disconnect(target, reason)
  }

  /** Accepts connections again after the disconnect reason `link_disabled`. */
  enable(): void {
    this.#enabled = true
  }

  /** Breaks connections without notice, as a network failure does. */
  drop(connection?: number): void {
    for (const target of this.#targets(connection)) target.socket.terminate()
  }

  /** Keeps connections open, but reads nothing from them. So it answers no ping and notices no acknowledgement. */
  freeze(connection?: number): void {
    for (const target of this.#targets(connection)) target.socket.pause()
  }

  /** Sends a WebSocket ping. Resolves when the client answers. */
  async ping(connection?: number): Promise<void> {
    await Promise.all(
      this.#targets(connection).map(
        target =>
          new Promise<void>(resolve => {
            target.socket.once('pong', () => resolve())
            target.socket.ping('Ping from applink')
          }),
      ),
    )
  }

  /**
   * Closes every connection with a proper handshake. Breaks a connection whose client does not answer within 1 s. A client that is cut off
   * during a handshake waits 30 s.
   */
  async close(): Promise<void> {
    await Promise.all([...this.#server.clients].map(closeGracefully))
    this.#server.close()
  }

  #targets(connection: number | undefined): readonly Connection[] {
    return [...this.#connections.values()].filter(candidate => connection === undefined || candidate.id === connection)
  }

  #accept(socket: WebSocket): void {
    this.#opened += 1
    const connection: Connection = { id: this.#opened, socket }
    socket.on('error', () => socket.terminate())
    if (this.#connections.size >= SLACK_LIMITS.connections) {
      this.#disconnect(connection, 'too_many_websockets')
      return
    }
    this.#connections.set(connection.id, connection)
    socket.on('close', () => {
      this.#connections.delete(connection.id)
      this.#onChange()
    })
    socket.on('message', data => this.#receive(data.toString()))
    // Slack documents this message at docs.slack.dev/apis/events-api/using-socket-mode, "Connecting".
    this.#send(connection, {
      type: 'hello',
      num_connections: this.#connections.size,
      debug_info: { host: 'applink-emulated', build_number: 10, approximate_connection_time: 18_060 },
      connection_info: { app_id: this.#appId },
    })
    this.#onChange()
  }

  #disconnect(connection: Connection, reason: DisconnectReason): void {
    this.#send(connection, { type: 'disconnect', reason, debug_info: { host: 'applink-emulated' } })
    this.#connections.delete(connection.id)
    this.#clock.schedule(reason === 'warning' ? SLACK_LIMITS.disconnectWarningMs : 0, () => connection.socket.close(1000))
  }

  #attempt(delivery: Delivery, retry: number): void {
    const open = [...this.#connections.values()]
    this.#turn += 1
    const connection = open[this.#turn % open.length]
    const attempt: DeliveryAttempt = {
      envelopeId: randomUUID(),
      retry,
      connection: connection?.id,
      sentAt: this.#clock.elapsed(),
      ackMs: undefined,
    }
    delivery.attempts.push(attempt)
    this.#onChange()
    if (connection === undefined) {
      this.#retryLater(delivery, retry)
      return
    }
    this.#sendEnvelope(connection, delivery, attempt)
    const deadline = this.#clock.schedule(SLACK_LIMITS.acknowledgementMs, () => {
      if (delivery.state === 'pending') this.#retryLater(delivery, retry)
    })
    this.#waiting.set(attempt.envelopeId, { delivery, attempt, deadline })
  }

  #sendEnvelope(connection: Connection, delivery: Delivery, attempt: DeliveryAttempt): void {
    this.#send(connection, {
      envelope_id: attempt.envelopeId,
      type: delivery.type,
      accepts_response_payload: delivery.type !== 'events_api',
      payload: delivery.payload,
      ...(delivery.type === 'events_api'
        ? { retry_attempt: attempt.retry, retry_reason: attempt.retry === 0 ? '' : 'timeout' }
        : {}),
    })
  }

  #retryLater(delivery: Delivery, failedRetry: number): void {
    const delay = SLACK_LIMITS.retryDelaysMs[failedRetry]
    // Slack never repeats commands and interactions. The person sees that the app did not respond.
    if (delivery.type !== 'events_api' || delay === undefined) {
      delivery.state = 'given_up'
      this.#onChange()
      return
    }
    const again = () => {
      if (delivery.state === 'pending') this.#attempt(delivery, failedRetry + 1)
    }
    if (delay === 0) again()
    else this.#clock.schedule(delay, again)
  }

  #receive(data: string): void {
    const parsed = acknowledgementSchema.safeParse(JSON.parse(data))
    if (!parsed.success) return
    const waiting = this.#waiting.get(parsed.data.envelope_id)
    if (waiting === undefined) return
    this.#waiting.delete(parsed.data.envelope_id)
    const { delivery, attempt, deadline } = waiting
    attempt.ackMs = this.#clock.elapsed() - attempt.sentAt
    if (attempt.ackMs <= SLACK_LIMITS.acknowledgementMs) {
      deadline.cancel()
      delivery.state = 'acknowledged'
      delivery.response = parsed.data.payload
      this.#onResponse(delivery)
    }
    this.#onChange()
  }

  #send(connection: Connection, message: { readonly [key: string]: unknown }): void {
    connection.socket.send(JSON.stringify(message))
  }
}

/** Describes a delivery in one line, for the error of a wait that failed. */
export function describeDelivery(delivery: Delivery): string {
  const event = delivery.payload.event
  const type = typeof event === 'object' && event !== null && 'type' in event ? String(event.type) : delivery.type
  return `${type} ${delivery.state} after ${delivery.attempts.map(attempt => `${attempt.ackMs ?? '–'} ms`).join(' + ')}`
}

function closeGracefully(socket: WebSocket): Promise<void> {
  return new Promise(resolve => {
    const giveUp = setTimeout(() => socket.terminate(), CLOSE_MS)
    socket.once('close', () => {
      clearTimeout(giveUp)
      resolve()
    })
    socket.resume()
    socket.close(1001)
  })
}
