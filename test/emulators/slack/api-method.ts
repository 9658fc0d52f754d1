import { z } from 'zod'
import { ApiRefusal } from './api-refusal.ts'
import type { EmulatorClock } from './emulator-clock.ts'
import type { AppIdentity, JsonObject } from './message-payload.ts'
import type { SlackChannel } from './slack-model.ts'
import type { SocketMode } from './socket-mode.ts'
import type { Views } from './views.ts'
import type { Workspace } from './workspace.ts'

/** The state of the emulator that the methods use. */
export interface ApiContext {
  readonly workspace: Workspace
  readonly app: AppIdentity
  readonly socket: SocketMode
  readonly views: Views
  /** The kind of the app's direct conversations, set by `agent_view` or `assistant_view` in its manifest. */
  readonly messaging: 'agent' | 'assistant'
  readonly clock: EmulatorClock
  /** The beginning of the addresses in answers: `http://127.0.0.1:port`. */
  readonly origin: string
  readonly websocketOrigin: string
}

/** One method of Slack's Web API. */
export interface ApiMethod {
  readonly token: 'bot' | 'app'
  /**
   * The scopes for this method. A token needs only one of them; none if the list is empty. Slack documents them at
   * docs.slack.dev/reference/methods.
   */
  readonly scopes: readonly string[]
  /**
   * The rate limit of the method. `post`: one call per second and channel. A number: a tier with a limit of calls per minute
   * (docs.slack.dev/apis/web-api/rate-limits). `none`: no limit.
   */
  readonly rate: 'post' | 1 | 2 | 3 | 4 | 'none'
  readonly run: (args: JsonObject, context: ApiContext) => JsonObject
}

export type ApiMethods = { readonly [method: string]: ApiMethod }

/** Creates a method from a zod schema of its arguments and a function. Invalid arguments are refused as Slack does. */
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

/** A boolean. In JSON it may be a real boolean, in a form it is a text such as `true`. */
export const flag = z.union([
  z.boolean(),
  z.enum(['true', '1']).transform(() => true),
  z.enum(['false', '0']).transform(() => false),
])

/** A whole number. In JSON it may be a real number, in a form it is a text. */
export const wholeNumber = z.coerce.number().int()

/** An object or array. In a form it is JSON in a text. Invalid JSON is passed on, and refused later. */
export const jsonValue = z.unknown().transform(value => {
  if (typeof value !== 'string') return value
  try {
    return JSON.parse(value) as unknown
  } catch {
    return value
  }
})

export const slackTimestamp = z.string().regex(/^\d+\.\d{6}$/)

/** Returns a conversation by its id. A user's id stands for that user's direct conversation with the bot. Names are not accepted. */
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

/** Like `requireChannel`, but for methods that also require the bot to be a member. */
export function requireMembership(context: ApiContext, id: string): SlackChannel {
  const channel = requireChannel(context, id)
  if (!channel.members.has(context.app.botUserId)) throw new ApiRefusal('not_in_channel')
  return channel
}
