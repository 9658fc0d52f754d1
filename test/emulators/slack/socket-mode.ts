import { randomUUID } from 'node:crypto'
import type { Server } from 'node:http'
import { type WebSocket, WebSocketServer } from 'ws'
import { z } from 'zod'
import type { EmulatorClock, ScheduledTask } from './emulator-clock.ts'
import { SLACK_LIMITS } from './slack-limits.ts'

export type EnvelopeType = 'events_api' | 'slash_commands' | 'interactive'

/** One attempt to send an envelope over one connection. */
export interface DeliveryAttempt {
  readonly envelopeId: string
  /** 0 for the first attempt, 1 to 3 for redeliveries. */
  readonly retry: number
  /** The connection of the attempt. Undefined over HTTP. Also undefined if none was open, which counts as a failed attempt. */
  readonly connection: number | undefined
  /** The number of milliseconds since the emulator's start. */
  readonly sentAt: number
  /** The milliseconds until the acknowledgement, even if it was late. */
  ackMs: number | undefined
  /** The status of the answer, over HTTP. */
  status?: number
}

/** Delivers envelopes to the app, over Socket Mode or HTTP. */
export interface Deliverer {
  deliver(type: EnvelopeType, payload: Delivery['payload']): Delivery
}

/** An event, command or interaction for the app. */
export interface Delivery {
  readonly type: EnvelopeType
  readonly payload: { readonly [key: string]: unknown }
  readonly attempts: DeliveryAttempt[]
  state: 'held' | 'pending' | 'acknowledged' | 'given_up'
  /** The content of the acknowledgement. */
  response: { readonly [key: string]: unknown } | undefined
}

/** docs.slack.dev/apis/events-api/using-socket-mode, "Disconnecting"; `too_many_websockets` is from node-slack-sdk#1654. */
export type DisconnectReason = 'warning' | 'refresh_requested' | 'link_disabled' | 'too_many_websockets'

const CLOSE_MS = 1_000

const acknowledgementSchema = z.object({ envelope_id: z.string(), payload: z.record(z.string(), z.unknown()).optional() })

interface Connection {
  readonly id: number
  readonly socket: WebSocket
}

/**
 * Socket Mode: connections with URLs from `apps.connections.open`, deliveries over one of them, the 3 s limit of acknowledgements, redelivery, and
 * Slack's ways of ending a connection.
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

  /** Accepts WebSocket upgrades of the emulator's HTTP server. */
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
   * Issues a ticket for one connection. It is a part of the URL from `apps.connections.open`. Undefined while Socket Mode is switched off.
   */
  issueTicket(): string | undefined {
    if (!this.#enabled) return undefined
    const ticket = randomUUID()
    this.#tickets.add(ticket)
    return ticket
  }

  /** The ids of the open connections, oldest first. */
  connections(): readonly number[] {
    return [...this.#connections.keys()]
  }

  /** Returns the number of connections that were ever opened. It shows whether there are too many reconnects. */
  openedConnections(): number {
    return this.#opened
  }

  /** Sends over the next open connection. After `hold`, queues the delivery. */
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

  /** Sends nothing from now on, until `release`. */
  hold(): void {
    this.#holding = true
  }

  /** Sends queued deliveries in the order that `order` returns. Default: unchanged. */
  release(order: (held: readonly Delivery[]) => readonly Delivery[] = held => held): void {
    this.#holding = false
    const held = this.deliveries.filter(delivery => delivery.state === 'held')
    for (const delivery of order(held)) {
      delivery.state = 'pending'
      this.#attempt(delivery, 0)
    }
  }

  /** Sends the same event again, as a Slack that got no acknowledgement. The app may have handled the event. */
  redeliver(delivery: Delivery): void {
    delivery.state = 'pending'
    this.#attempt(delivery, Math.max(1, ...delivery.attempts.map(attempt => attempt.retry + 1)))
  }

  /** Ends connections as Slack does: a `disconnect` message, then the close (10 s later for a warning). */
  disconnect(reason: DisconnectReason, connection?: number): void {
    if (reason === 'link_disabled') this.#enabled = false
    for (const target of this.#targets(connection)) this.#disconnect(target, reason)
  }

  /** Allows connections again after `link_disabled`. */
  enable(): void {
    this.#enabled = true
  }

  /** Breaks connections without notice, as a network failure does. */
  drop(connection?: number): void {
    for (const target of this.#targets(connection)) target.socket.terminate()
  }

  /** Keeps connections open, but reads nothing: no pong, no acknowledgement, no answer to a close. */
  freeze(connection?: number): void {
    for (const target of this.#targets(connection)) target.socket.pause()
  }

  /** Sends a WebSocket ping. Resolves at the client's pong. */
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
   * Closes every connection with a handshake. After 1 s without one, cuts the connection. A client that is cut off during a handshake waits 30 s.
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
    // The form in docs.slack.dev/apis/events-api/using-socket-mode, "Connecting".
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
    // Commands and interactions are never repeated. The person sees that the app did not respond.
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

/** Summarizes a delivery, for the message of a wait that failed. */
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
