import type { EmulatorClock } from '../slack/emulator-clock.ts'
import type { Commands } from './commands.ts'
import type { EventDispatcher } from './event-dispatcher.ts'
import type { Gateway } from './gateway.ts'
import type { Interactions } from './interactions.ts'
import type { JsonObject } from './json.ts'
import type { MessageFormOptions } from './message-form.ts'
import type { AppIdentity } from './payloads.ts'
import type { BucketName } from './rate-limits.ts'
import type { UploadedFile } from './request-body.ts'
import type { World } from './world.ts'

/** What the routes work on. */
export interface ApiContext {
  readonly world: World
  readonly app: AppIdentity
  readonly clock: EmulatorClock
  readonly gateway: Gateway
  readonly dispatcher: EventDispatcher
  readonly interactions: Interactions
  readonly commands: Commands
  /** Bits of the privileged intents that the app may use: they decide what it reads over HTTP too. */
  readonly allowedIntents: number
  readonly gatewayUrl: string
  readonly attachmentUrl: MessageFormOptions['attachmentUrl']
}

export interface ApiRequest {
  /** A segment of the path by its name in the route. */
  param(name: string): string
  readonly query: URLSearchParams
  /** The body as an object; empty without one. */
  readonly form: JsonObject
  /** The body whatever it is. */
  readonly json: unknown
  readonly files: readonly UploadedFile[]
}

export interface ApiAnswer {
  readonly status: number
  readonly body?: unknown
}

export interface Route {
  readonly bucket?: BucketName
  /** `none` where the path carries a token of its own; such routes do not count for the global limit. */
  readonly auth?: 'none'
  handle(request: ApiRequest, context: ApiContext): ApiAnswer
}
