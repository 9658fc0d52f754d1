import { createLogger } from '../../src/base/logger.ts'
import { SLACK_EVENTS_PATH } from '../../src/bots/slack/receive/http.ts'
import { createSlackSurface, type SlackReceive, type SlackSurfaceOptions } from '../../src/bots/slack/surface.ts'
import type { ChatInbound, ChatMessage, ChatPress } from '../../src/chat/event.ts'
import type { ChatSurface } from '../../src/chat/platform.ts'
import { type HealthServer, startHealthServer } from '../../src/telemetry/health-server.ts'
import { type SlackEmulator, type SlackEmulatorOptions, startSlackEmulator } from '../emulators/slack/slack-emulator.ts'
import type { Delivery } from '../emulators/slack/socket-mode.ts'
import type { ShownMessage } from '../emulators/slack/transcript.ts'
import { memoryOnce } from './memory-once.ts'
import { tells } from './tells.ts'

export interface ListenOptions extends Partial<SlackSurfaceOptions> {
  readonly over?: SlackReceive['over']
  readonly accept?: (event: ChatInbound) => Promise<void>
}

/** An emulated Slack, and the messages that Clew's Slack code receives from it. */
export class SlackListener {
  readonly slack: SlackEmulator
  /** The messages that were accepted. */
  readonly heard: ChatInbound[] = []
  /** The log lines of Clew's Slack code. */
  readonly lines: string[] = []
  readonly #server: HealthServer
  readonly #surfaces: ChatSurface[] = []

  private constructor(slack: SlackEmulator, server: HealthServer) {
    this.slack = slack
    this.#server = server
  }

  static async start(options: SlackEmulatorOptions = {}): Promise<SlackListener> {
    const slack = await startSlackEmulator({ rateLimits: 'relaxed', ...options })
    return new SlackListener(slack, await startHealthServer({ port: 0, checks: {}, logger: createLogger({ level: 'silent' }) }))
  }

  async listen({ over = 'socket', accept, ...options }: ListenOptions = {}): Promise<void> {
    const logger = createLogger({ level: 'trace', destination: { write: line => void this.lines.push(line) } })
    const { apiUrl, botToken, appToken, http } = this.slack
    if (over === 'http') http.sendTo(`http://127.0.0.1:${this.#server.port}${SLACK_EVENTS_PATH}`)
    const receive: SlackReceive =
      over === 'http' ? { over, signingSecret: http.signingSecret, serve: this.#server.serve } : { over, appToken }
    const once = memoryOnce()
    const surface = createSlackSurface({ apiUrl, botToken, receive, once, tells, logger, backoffMs: () => 5, ...options })
    this.#surfaces.push(surface)
    await surface.start(accept ?? (async event => void this.heard.push(event)), new AbortController().signal)
  }

  get messages(): readonly ChatMessage[] {
    return this.heard.flatMap(event => (event.kind === 'message' ? [event.message] : []))
  }

  get presses(): readonly ChatPress[] {
    return this.heard.flatMap(event => (event.kind === 'press' ? [event.press] : []))
  }

  /** Returns the messages of the bot in a channel, as one person sees them. */
  fromBot(channel: string, as = 'alice'): readonly ShownMessage[] {
    return this.slack.transcript(channel, { as }).filter(message => message.isFromBot)
  }

  async acknowledged(delivery: Delivery | undefined): Promise<void> {
    await this.slack.waitFor(() => delivery?.state === 'acknowledged')
  }

  async close(): Promise<void> {
    await Promise.all(this.#surfaces.map(surface => surface.stop()))
    await this.slack.close()
    await this.#server.close()
  }
}
