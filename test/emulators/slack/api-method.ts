import { z } from 'zod'
import { ApiRefusal } from './api-refusal.ts'
import type { EmulatorClock } from './emulator-clock.ts'
import type { AppIdentity, JsonObject } from './message-payload.ts'
import type { SlackChannel } from './slack-model.ts'
import type { SocketMode } from './socket-mode.ts'
import type { Views } from './views.ts'
import type { Workspace } from './workspace.ts'

/** The state that methods use. */
export interface ApiContext {
  readonly workspace: Workspace
  readonly app: AppIdentity
  readonly socket: SocketMode
  readonly views: Views
  /** The form of the app's direct conversations: `agent_view` or `assistant_view` in its manifest. */
  readonly messaging: 'agent' | 'assistant'
  readonly clock: EmulatorClock
  /** The origin for addresses in answers: `http://127.0.0.1:port`. */
  readonly origin: string
  readonly websocketOrigin: string
}

/** One method of the Web API. */
export interface ApiMethod {
  readonly token: 'bot' | 'app'
  /** Scopes of which any single one suffices. Empty for methods that need none. Source: docs.slack.dev/reference/methods. */
  readonly scopes: readonly string[]
  /**
   * The rate limit. `post`: one per second and channel. A number: a tier of calls per minute (docs.slack.dev/apis/web-api/rate-limits). `none`:
   * unlimited.
   */
  readonly rate: 'post' | 1 | 2 | 3 | 4 | 'none'
  readonly run: (args: JsonObject, context: ApiContext) => JsonObject
}

export type ApiMethods = { readonly [method: string]: ApiMethod }

/** Combines a zod schema of the arguments with the method's work. Invalid arguments are refused as in Slack. */
export function apiMethod<Schema extends z.ZodType>(method: {
  readonly token?: ApiMethod['token']
  readonly scopes: readonly string[]
  readonly rate: ApiMethod['rate']
  readonly args: Schema
  readonly run: (args: z.infer<Schema>, context: ApiContext) => JsonObject
}): ApiMethod {
  return {
    token: method.token ?? 'bot',
    scopes: method.scopes,
    rate: method.rate,
    run: (args, context) => {
      const parsed = method.args.safeParse(args)
      if (!parsed.success) throw invalidArguments(parsed.error)
      return method.run(parsed.data, context)
    },
  }
}

/**
 * Returns the refusal of invalid arguments, in the form of docs.slack.dev/changelog/2016-09-28-response-metadata-is-on-the-way.
 */
function invalidArguments(error: z.ZodError): ApiRefusal {
  const messages = error.issues.map(issue => `[ERROR] ${issue.message} [json-pointer:/${issue.path.map(String).join('/')}]`)
  return new ApiRefusal('invalid_arguments', { response_metadata: { messages } })
}

/** A boolean in JSON, or its text in a form. */
export const flag = z.union([
  z.boolean(),
  z.enum(['true', '1']).transform(() => true),
  z.enum(['false', '0']).transform(() => false),
])

/** A number in JSON, or its text in a form. */
export const wholeNumber = z.coerce.number().int()

/** An object or array in JSON, or JSON text in a form. Invalid text is refused later. */
export const jsonValue = z.unknown().transform(value => {
  if (typeof value !== 'string') return value
  try {
    return JSON.parse(value) as unknown
  } catch {
    return value
  }
})

export const slackTimestamp = z.string().regex(/^\d+\.\d{6}$/)

/** Returns the conversation with this id. A user's id means the direct conversation with the bot. Names are not resolved. */
export function requireChannel(context: ApiContext, id: string): SlackChannel {
  const { workspace, app } = context
  const channel = workspace.channels.get(id)
  if (channel !== undefined) {
    // A private conversation is hidden from people who are not members: docs.slack.dev/reference/methods/conversations.info, `channel_not_found`.
    if (channel.kind !== 'public' && !channel.members.has(app.botUserId)) throw new ApiRefusal('channel_not_found')
    return channel
  }
  if (workspace.users.has(id)) return workspace.directChannel(id, app.botUserId)
  throw new ApiRefusal('channel_not_found')
}

/** As `requireChannel`, for methods that require the bot to be a member. */
export function requireMembership(context: ApiContext, id: string): SlackChannel {
  const channel = requireChannel(context, id)
  if (!channel.members.has(context.app.botUserId)) throw new ApiRefusal('not_in_channel')
  return channel
}
