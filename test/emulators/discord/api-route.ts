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

/** The state that routes use. */
export interface ApiContext {
  readonly world: World
  readonly app: AppIdentity
  readonly clock: EmulatorClock
  readonly gateway: Gateway
  readonly dispatcher: EventDispatcher
  readonly interactions: Interactions
  readonly commands: Commands
  /** The privileged intents that the app is allowed, as bits. They also limit what it can read over HTTP. */
  readonly allowedIntents: number
  readonly gatewayUrl: string
  readonly attachmentUrl: MessageFormOptions['attachmentUrl']
}

export interface ApiRequest {
  /** Returns a path segment by its name in the route. */
  param(name: string): string
  readonly query: URLSearchParams
  /** The body as an object, empty without one. */
  readonly form: JsonObject
  /** The body of any type. */
  readonly json: unknown
  readonly files: readonly UploadedFile[]
}

export interface ApiAnswer {
  readonly status: number
  readonly body?: unknown
}

export interface Route {
  readonly bucket?: BucketName
  /** `none` if the path contains a token. Such a route does not count towards the global limit. */
  readonly auth?: 'none'
  handle(request: ApiRequest, context: ApiContext): ApiAnswer
}
