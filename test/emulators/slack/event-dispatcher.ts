import type { AppIdentity, JsonObject } from './message-payload.ts'
import { messagePayload } from './message-payload.ts'
import type { ChannelKind, SlackChannel, SlackMessage } from './slack-model.ts'
import type { Deliverer, Delivery } from './socket-mode.ts'
import type { Workspace, WorkspaceChange } from './workspace.ts'

/** The events that the emulator can send to the app. */
export type EventSubscription =
  | 'app_mention'
  | 'message.channels'
  | 'message.groups'
  | 'message.im'
  | 'message.mpim'
  | 'member_joined_channel'
  | 'app_home_opened'
  | 'assistant_thread_started'

export const ALL_SUBSCRIPTIONS = [
  'app_mention',
  'message.channels',
  'message.groups',
  'message.im',
  'message.mpim',
  'member_joined_channel',
  'app_home_opened',
  'assistant_thread_started',
] as const satisfies readonly EventSubscription[]

const CHANNEL_TYPES = { public: 'channel', private: 'group', im: 'im', mpim: 'mpim' } as const satisfies Record<
  ChannelKind,
  string
>
const MESSAGE_SUBSCRIPTIONS = {
  public: 'message.channels',
  private: 'message.groups',
  im: 'message.im',
  mpim: 'message.mpim',
} as const satisfies Record<ChannelKind, EventSubscription>

/** Turns changes in the workspace into events for the app. Only channels with the app's bot cause events. */
export class EventDispatcher {
  readonly #workspace: Workspace
  readonly #app: AppIdentity
  readonly #deliverer: Deliverer
  readonly #subscriptions: ReadonlySet<EventSubscription>
  readonly #byMessage = new Map<string, Delivery[]>()

  constructor(options: {
    workspace: Workspace
    app: AppIdentity
    deliverer: Deliverer
    subscriptions: readonly EventSubscription[]
  }) {
    this.#workspace = options.workspace
    this.#app = options.app
    this.#deliverer = options.deliverer
    this.#subscriptions = new Set(options.subscriptions)
  }

  /** Returns everything that was sent to the app about a message: for its post, its edits and its deletion. */
  deliveriesOf(message: { readonly channel: string; readonly ts: string }): readonly Delivery[] {
    return this.#byMessage.get(`${message.channel} ${message.ts}`) ?? []
  }

  dispatch(change: WorkspaceChange): void {
    if (change.kind === 'joined') {
      this.#joined(change.channel, change.user, change.inviter)
      return
    }
    if (change.kind === 'reacted') return
    const channel = this.#workspace.channels.get(change.message.channel)
    if (channel === undefined || change.message.visibleTo !== undefined || !channel.members.has(this.#app.botUserId)) return
    if (change.kind === 'posted') this.#posted(channel, change.message)
    else this.#changed(channel, change)
  }

  /** Sent each time a person opens a tab of the app. Slack documents this at docs.slack.dev/reference/events/app_home_opened. */
  homeOpened(user: string, channel: string, tab: 'home' | 'messages'): Delivery | undefined {
    return this.#send('app_home_opened', undefined, {
      type: 'app_home_opened',
      user,
      channel,
      tab,
      event_ts: this.#workspace.newTimestamp(),
    })
  }

  /** Sent only to an app with `assistant_view`. Slack documents this at docs.slack.dev/reference/events/assistant_thread_started. */
  assistantThreadStarted(user: string, channel: string, threadTs: string): Delivery | undefined {
    return this.#send('assistant_thread_started', undefined, {
      type: 'assistant_thread_started',
      assistant_thread: { user_id: user, context: {}, channel_id: channel, thread_ts: threadTs },
      event_ts: this.#workspace.newTimestamp(),
    })
  }

  #posted(channel: SlackChannel, message: SlackMessage): void {
    const payload = this.#payload(message)
    this.#sendMessageEvent(channel, message, { ...payload, event_ts: message.ts })
    this.#mentioned(channel, message, payload, message.ts)
  }

  /**
   * The event `app_mention`. It is not sent for a direct message: docs.slack.dev/reference/events/app_mention, "Direct messages". A notice that
   * the bot has joined contains the bot's name, but is not a mention.
   */
  #mentioned(channel: SlackChannel, message: SlackMessage, payload: JsonObject, eventTs: string): void {
    if (channel.kind === 'im' || message.subtype?.endsWith('_join') || !message.text.includes(`<@${this.#app.botUserId}>`)) return
    this.#send('app_mention', message, { ...payload, type: 'app_mention', channel: channel.id, event_ts: eventTs })
  }

  /**
   * The events for an edit and for a deletion. They are hidden messages with a `ts` of their own:
   * docs.slack.dev/reference/events/message/message_changed and message_deleted.
   */
  #changed(channel: SlackChannel, change: Extract<WorkspaceChange, { kind: 'edited' | 'deleted' }>): void {
    const ts = this.#workspace.newTimestamp()
    const previous = this.#payload(change.before)
    const what =
      change.kind === 'deleted'
        ? { subtype: 'message_deleted', deleted_ts: change.message.ts, previous_message: previous }
        : { subtype: 'message_changed', message: this.#payload(change.message), previous_message: previous }
    this.#sendMessageEvent(channel, change.message, { type: 'message', ...what, hidden: true, ts, event_ts: ts })
    // Each edit of a text that mentions the bot sends `app_mention` again, with the field `edited` (github.com/inkeep/agents/pull/2284).
    if (change.kind === 'edited') this.#mentioned(channel, change.message, this.#payload(change.message), ts)
  }

  #joined(channel: SlackChannel, user: string, inviter: string | undefined): void {
    if (!channel.members.has(this.#app.botUserId)) return
    this.#send('member_joined_channel', undefined, {
      type: 'member_joined_channel',
      user,
      channel: channel.id,
      channel_type: channel.kind === 'private' ? 'G' : 'C',
      team: this.#workspace.teamId,
      ...(inviter === undefined ? {} : { inviter }),
      event_ts: this.#workspace.newTimestamp(),
    })
  }

  #payload(message: SlackMessage): JsonObject {
    return messagePayload(this.#workspace, this.#app, message, { withMetadata: true })
  }

  #sendMessageEvent(channel: SlackChannel, message: SlackMessage, event: JsonObject): void {
    this.#send(MESSAGE_SUBSCRIPTIONS[channel.kind], message, {
      ...event,
      channel: channel.id,
      channel_type: CHANNEL_TYPES[channel.kind],
    })
  }

  /** Slack documents this at docs.slack.dev/apis/events-api, "Event type structure". */
  #send(subscription: EventSubscription, message: SlackMessage | undefined, event: JsonObject): Delivery | undefined {
    if (!this.#subscriptions.has(subscription)) return undefined
    const eventId = this.#workspace.newId('Ev')
    const delivery = this.#deliverer.deliver('events_api', {
      token: 'emulated-verification-token',
      team_id: this.#workspace.teamId,
      context_team_id: this.#workspace.teamId,
      context_enterprise_id: null,
      api_app_id: this.#app.appId,
      event,
      type: 'event_callback',
      event_id: eventId,
      event_time: Math.floor(Number(event.event_ts)),
      authorizations: [
        {
          enterprise_id: null,
          team_id: this.#workspace.teamId,
          user_id: this.#app.botUserId,
          is_bot: true,
          is_enterprise_install: false,
        },
      ],
      is_ext_shared_channel: false,
      event_context: `4-${eventId}`,
    })
    if (message === undefined) return delivery
    const key = `${message.channel} ${message.ts}`
    this.#byMessage.set(key, [...(this.#byMessage.get(key) ?? []), delivery])
    return delivery
  }
}
