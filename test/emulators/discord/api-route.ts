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

/** The state of the emulator that the routes use. */
export interface ApiContext {
  readonly world: World
  readonly app: AppIdentity
  readonly clock: EmulatorClock
  readonly gateway: Gateway
  readonly dispatcher: EventDispatcher
  readonly interactions: Interactions
  readonly commands: Commands
  /** The privileged intents that the app may use, as bits. They also limit the message contents that the app gets over HTTP. */
  readonly allowedIntents: number
  readonly gatewayUrl: string
  readonly attachmentUrl: MessageFormOptions['attachmentUrl']
}

export interface ApiRequest {
  /** Returns a part of the path by its name: `channel` in `/channels/{channel}/messages`. */
  param(name: string): string
  readonly query: URLSearchParams
  /** The fields of the request's body. Empty if the request has no body. */
  readonly form: JsonObject
  /** The request's body as it was sent. It may be any JSON value. */
  readonly json: unknown
  readonly files: readonly UploadedFile[]
}

export interface ApiAnswer {
  readonly status: number
  readonly body?: unknown
}

export interface Route {
  readonly bucket?: BucketName
  /** `none` for a route with a token in its path. Such a route needs no bot token and does not count towards the global rate limit. */
  readonly auth?: 'none'
  handle(request: ApiRequest, context: ApiContext): ApiAnswer
}
