import { z } from 'zod'
import { SIZES } from '../../../base/sizes.ts'
import type { ChatEvent, ChatPlace } from '../../../chat/event.ts'
import { writtenText } from '../../shared/written-text.ts'
import { plainTextOf } from '../text.ts'

/** The bot's identity, from `auth.test`. */
export interface SlackIdentity {
  readonly team: string
  readonly user: string
  readonly botId: string | undefined
  /** The bot's name without the `@`. */
  readonly name?: string | undefined
  /** The workspace's address: `https://….slack.com/`. */
  readonly url?: string | undefined
}

/** The fields of a message that Clew uses. Source: docs.slack.dev/reference/events/message and app_mention. */
const postSchema = z.object({
  type: z.enum(['message', 'app_mention']),
  subtype: z.string().optional(),
  hidden: z.boolean().optional(),
  edited: z.unknown().optional(),
  bot_id: z.string().nullish(),
  user: z.string().min(1).optional(),
  channel: z.string().min(1),
  channel_type: z.string().optional(),
  ts: z.string().regex(/^\d{1,10}\.\d{6}$/),
  thread_ts: z.string().min(1).optional(),
  /** The text of a message. Text beyond the limit is cut off, so Clew does not see a mention there. */
  text: z
    .string()
    .transform(text => text.slice(0, SIZES.message + 1))
    .nullish(),
})
type SlackPost = z.infer<typeof postSchema>

/** The event of a deleted message. Source: docs.slack.dev/reference/events/message/message_deleted. */
const deletionSchema = z.object({
  subtype: z.literal('message_deleted'),
  channel: z.string().min(1),
  deleted_ts: z.string().min(1),
  previous_message: z.object({ user: z.string().min(1).optional() }).optional(),
})
/** The event of a deleted message that has replies. Slack keeps a placeholder ("tombstone") in its place. */
const tombstoneSchema = z.object({
  subtype: z.literal('message_changed'),
  channel: z.string().min(1),
  message: z.object({ subtype: z.literal('tombstone'), ts: z.string().min(1) }),
  previous_message: z.object({ user: z.string().min(1).optional() }).optional(),
})

const envelopeSchema = z.object({ event: z.looseObject({ type: z.string(), subtype: z.unknown().optional() }) })

/** An installation of the app. `team_id` is null if the app is installed for a whole organization. */
const installationSchema = z.object({ team_id: z.string().nullish(), enterprise_id: z.string().nullish() })
const idSchema = z.object({ id: z.string() }).nullish()
/**
 * The origin of a payload. Events list the installations, and commands name the workspace. Presses and forms have one object for
 * the workspace and one for the organization.
 */
const originSchema = installationSchema.extend({
  authorizations: z.array(installationSchema).min(1).optional(),
  team: idSchema,
  enterprise: idSchema,
})

/**
 * Whether a payload is for the bot's own workspace, or for the organization of its token. Payloads for other workspaces are
 * dropped, because their ids mean nothing here. An event of a shared channel lists several workspaces, and one match is enough.
 */
export function isOfOwnWorkspace(payload: unknown, self: SlackIdentity): boolean {
  const origin = originSchema.safeParse(payload)
  if (!origin.success) return false
  const { authorizations, team, enterprise, ...own } = origin.data
  const installations = authorizations ?? [own, { team_id: team?.id, enterprise_id: enterprise?.id }]
  return installations.some(({ team_id: id, enterprise_id: organization }) => id === self.team || organization === self.team)
}

/** The subtypes of messages that people write. All other subtypes are notices, edits or messages of bots. */
const SPOKEN_SUBTYPES: ReadonlySet<string> = new Set(['file_share', 'thread_broadcast'])

const MENTION = /<@([A-Z0-9]+)(?:\|[^<>]*)?>/g
/** Matches mentions of people, of user groups or of everybody. */
const ADDRESS = /<(?:@[A-Z0-9]+|!subteam\^[A-Z0-9]+|!here|!channel|!everyone)(?:\|[^<>]*)?>/

/**
 * Translates an Events API payload into an event. A mention in a channel arrives twice, as `message` and as `app_mention`. Only
 * the fields that both have are used, so both give the same message.
 */
export function slackEvent(payload: unknown, self: SlackIdentity): ChatEvent {
  const envelope = envelopeSchema.safeParse(payload)
  if (!envelope.success) return { kind: 'unsupported', reason: 'malformed' }
  const { event } = envelope.data
  if (event.type !== 'message' && event.type !== 'app_mention') return { kind: 'unsupported', reason: `event ${event.type}` }
  const deletion = deletionEvent(event, self)
  if (deletion !== undefined) return deletion
  const post = postSchema.safeParse(event)
  if (post.success) return postEvent(post.data, self)
  // A notice may lack required fields. The log then shows its subtype, which says more than "malformed".
  const subtype = typeof event.subtype === 'string' ? `subtype ${event.subtype}` : 'malformed'
  return { kind: 'unsupported', reason: subtype }
}

function deletionEvent(event: unknown, self: SlackIdentity): ChatEvent | undefined {
  const deleted = deletionSchema.safeParse(event)
  const tombstone = tombstoneSchema.safeParse(event)
  const gone = deleted.success
    ? { ...deleted.data, messageId: deleted.data.deleted_ts }
    : tombstone.success
      ? { ...tombstone.data, messageId: tombstone.data.message.ts }
      : undefined
  if (gone === undefined) return undefined
  const { channel, messageId, previous_message: previous } = gone
  const author = previous?.user === undefined ? {} : { author: previous.user }
  return { kind: 'deletion', place: { platform: 'slack', workspace: self.team, channel }, messageId, ...author }
}

function postEvent(post: SlackPost, self: SlackIdentity): ChatEvent {
  const { user } = post
  const reason = notSpokenReason(post, self) ?? notOursReason(post, self)
  if (reason !== undefined || user === undefined) return { kind: 'unsupported', reason: reason ?? 'no author' }
  const place = chatPlaceOf(self, post.channel, post.thread_ts ?? post.ts)
  const addressed = place.isDirect || mentionsBot(post, self)
  const text = writtenText(post.text ?? '', sent => plainTextOf(sent, self.user))
  if (text === '' && !addressed) return { kind: 'unsupported', reason: 'no text' }
  return {
    kind: 'message',
    message: {
      place,
      messageId: post.ts,
      order: Number(post.ts.replace('.', '')),
      author: user,
      text,
      addressed,
    },
  }
}

/** Returns why a message is not new text from a person, such as `edit` or `bot`. Undefined if it is new text. */
function notSpokenReason(post: SlackPost, self: SlackIdentity): string | undefined {
  if (post.subtype !== undefined && !SPOKEN_SUBTYPES.has(post.subtype)) return `subtype ${post.subtype}`
  if (post.hidden === true) return 'hidden'
  if (post.edited !== undefined) return 'edit'
  if (post.user === self.user) return 'own message'
  if (typeof post.bot_id === 'string') return 'bot'
  return post.user === 'USLACKBOT' ? 'bot' : undefined
}

/** Returns why a person's message is not for Clew, such as `not addressed`. Undefined if it is for Clew. */
function notOursReason(post: SlackPost, self: SlackIdentity): string | undefined {
  if (isDirectChannel(post.channel)) return undefined
  const text = (post.text ?? '').trimStart()
  const isReply = post.thread_ts !== undefined && post.thread_ts !== post.ts
  const first = text.match(new RegExp(`^${ADDRESS.source}`))?.[0]
  if (isReply && first !== undefined && mentionedUsers(first)[0] !== self.user) return 'reply to another person'
  if (mentionsBot(post, self)) return undefined
  if (!isReply) return 'not addressed'
  return ADDRESS.test(text) ? 'reply to another person' : undefined
}

/**
 * Whether a channel is a direct conversation. The id decides, because `app_mention`, commands and presses have no channel type. A
 * group conversation is not direct.
 */
function isDirectChannel(channel: string): boolean {
  return channel.startsWith('D')
}

export function chatPlaceOf(self: SlackIdentity, channel: string, thread: string): ChatPlace {
  return { platform: 'slack', workspace: self.team, channel, thread, isDirect: isDirectChannel(channel) }
}

function mentionsBot(post: SlackPost, self: SlackIdentity): boolean {
  return post.type === 'app_mention' || mentionedUsers(post.text ?? '').includes(self.user)
}

function mentionedUsers(text: string): readonly string[] {
  return Array.from(text.matchAll(MENTION), match => match[1] ?? '')
}

const visitSchema = z.object({
  event: z.discriminatedUnion('type', [
    z.object({
      type: z.literal('app_home_opened'),
      user: z.string().min(1),
      channel: z.string().min(1),
      tab: z.enum(['home', 'messages']),
    }),
    z.object({
      type: z.literal('assistant_thread_started'),
      assistant_thread: z.object({ user_id: z.string().min(1), channel_id: z.string().min(1), thread_ts: z.string().min(1) }),
    }),
  ]),
})

/** A person has opened Clew's home tab or the direct conversation with Clew. */
export type SlackVisit =
  | { readonly to: 'home'; readonly user: string }
  | { readonly to: 'messages'; readonly user: string; readonly channel: string; readonly thread?: string }

/**
 * Parses a visit from its event. `app_home_opened` reports a visit of the home tab. In an app with `agent_view`, it also reports
 * that the direct conversation was opened. In an older app with `assistant_view`, `assistant_thread_started` reports this.
 * Source: docs.slack.dev/ai/migrating-to-agent-messaging.
 */
export function slackVisit(payload: unknown): SlackVisit | undefined {
  const parsed = visitSchema.safeParse(payload)
  if (!parsed.success) return undefined
  const { event } = parsed.data
  if (event.type === 'assistant_thread_started') {
    const { user_id: user, channel_id: channel, thread_ts: thread } = event.assistant_thread
    return { to: 'messages', user, channel, thread }
  }
  const { user, channel } = event
  return event.tab === 'home' ? { to: 'home', user } : { to: 'messages', user, channel }
}
