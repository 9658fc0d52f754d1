import type { EventDispatcher } from './event-dispatcher.ts'
import type { Interactions } from './interactions.ts'
import { richTextOf } from './message-payload.ts'
import type { MessageReference, SlackChannel, SlackMessage, SlackUser } from './slack-model.ts'
import type { Delivery } from './socket-mode.ts'
import type { ShownHome, ShownModal, Views } from './views.ts'
import type { SuggestedPrompt, Workspace } from './workspace.ts'

/** A message that a person posted, with the events that went to the app for it. */
export interface SentMessage extends MessageReference {
  readonly threadTs: string | undefined
  /** `app_mention` and `message` are two deliveries with two event ids. Later edits and the deletion are not among them. */
  readonly deliveries: readonly Delivery[]
}

export interface PostOptions {
  /** The message whose thread this replies to; its `ts` is enough. */
  readonly thread?: MessageReference | string
  readonly files?: readonly { readonly name: string; readonly content: string | Buffer }[]
  /** Shown in the channel too: subtype `thread_broadcast`. */
  readonly broadcast?: boolean
}

/** Somebody (or another app's bot) in the workspace, and what they can do. `channel` is an id or a name. */
export class Person {
  readonly id: string
  readonly name: string
  /** What mentions this person in a text: `<@U…>`. */
  readonly mention: string
  readonly #user: SlackUser
  readonly #workspace: Workspace
  readonly #dispatcher: EventDispatcher
  readonly #interactions: Interactions
  readonly #views: Views
  readonly #resolve: (channel: string) => SlackChannel
  readonly #botUserId: string

  constructor(
    user: SlackUser,
    deps: {
      workspace: Workspace
      dispatcher: EventDispatcher
      interactions: Interactions
      views: Views
      resolve: (channel: string) => SlackChannel
      botUserId: string
    },
  ) {
    this.id = user.id
    this.name = user.name
    this.mention = `<@${user.id}>`
    this.#user = user
    this.#workspace = deps.workspace
    this.#dispatcher = deps.dispatcher
    this.#interactions = deps.interactions
    this.#views = deps.views
    this.#resolve = deps.resolve
    this.#botUserId = deps.botUserId
  }

  /**
   * Posts `text`, which is in Slack's wire form: mentions as `<@U…>`, a literal `<` as `&lt;`. Joins a public channel first, as Slack's
   * client makes one do. With a file the message has subtype `file_share`.
   */
  post(channel: string, text: string, options: PostOptions = {}): SentMessage {
    const target = this.#resolve(channel)
    if (target.isArchived) throw new Error(`#${target.name} is archived: nobody can post there`)
    if (!target.members.has(this.id)) {
      if (target.kind !== 'public') throw new Error(`${this.name} is not in ${target.name}`)
      this.#workspace.join(target, this.id)
    }
    const files = (options.files ?? []).map(file => ({
      id: this.#workspace.newId('F'),
      name: file.name,
      title: file.name,
      owner: this.id,
      altText: undefined,
      content: Buffer.from(file.content),
    }))
    const posted = this.#workspace.post(target.id, {
      user: this.id,
      botId: this.#user.botId,
      text,
      blocks: text === '' ? [] : [richTextOf(text, this.#workspace.newId('b'))],
      threadTs: threadTs(options.thread),
      files,
      subtype: files.length > 0 ? 'file_share' : options.broadcast === true ? 'thread_broadcast' : undefined,
    })
    return {
      channel: target.id,
      ts: posted.ts,
      threadTs: posted.threadTs,
      deliveries: this.#dispatcher.deliveriesOf(posted),
    }
  }

  /** Writes to the bot in the direct conversation with it. */
  directMessage(text: string, options: PostOptions = {}): SentMessage {
    return this.post(this.directChannel(), text, options)
  }

  /** The id of the direct conversation with the bot. */
  directChannel(): string {
    return this.#workspace.directChannel(this.id, this.#botUserId).id
  }

  edit(message: MessageReference, text: string): void {
    const found = this.#own(message)
    this.#workspace.edit(found, this.id, { text, blocks: [richTextOf(text, this.#workspace.newId('b'))] })
  }

  /** Deletes an own message. The parent of a thread with replies becomes a tombstone. */
  delete(message: MessageReference): void {
    this.#workspace.delete(this.#own(message))
  }

  join(channel: string): void {
    this.#workspace.join(this.#resolve(channel), this.id)
  }

  leave(channel: string): void {
    this.#resolve(channel).members.delete(this.id)
  }

  /** Adds somebody (the bot, for example) to a channel. */
  invite(user: string, channel: string): void {
    this.#workspace.join(this.#resolve(channel), user, this.id)
  }

  /** Types a slash command, as `/ask` and its text. There is no thread: Slack does not take commands in threads. */
  command(channel: string, command: string, text: string): Delivery {
    return this.#interactions.command(this.#user, this.#resolve(channel), command, text)
  }

  /** Presses the button of this `action_id`, `value` or label (or feedback button) on a message. */
  press(
    message: MessageReference,
    button: { readonly actionId?: string; readonly value?: string; readonly label?: string },
  ): Delivery {
    return this.#interactions.press(this.#user, message, button)
  }

  /** Uses a shortcut from a message's menu. */
  shortcut(message: MessageReference, callbackId: string): Delivery {
    return this.#interactions.shortcut(this.#user, message, callbackId)
  }

  /** The form that is open before this person. */
  modal(): ShownModal | undefined {
    return this.#views.modal(this.id)
  }

  /** Submits the open form; `texts` are typed into its fields first, by `block_id`. */
  submitModal(texts: { readonly [blockId: string]: string } = {}): Delivery {
    return this.#views.submit(this.#user, texts)
  }

  /** Cancels the open form; the app is told if it wanted to be. */
  closeModal(): Delivery | undefined {
    return this.#views.close(this.#user)
  }

  /** Opens the app's home tab. */
  openHome(): Delivery | undefined {
    return this.#dispatcher.homeOpened(this.id, this.directChannel(), 'home')
  }

  /** What the app has published there. */
  home(): ShownHome | undefined {
    return this.#views.home(this.id)
  }

  /** Opens the direct conversation with the bot. */
  openMessages(): Delivery | undefined {
    return this.#dispatcher.homeOpened(this.id, this.directChannel(), 'messages')
  }

  /** Opens a new thread with an app that has `assistant_view`, which Slack begins with a message of the app's. */
  openAssistantThread(): Delivery | undefined {
    const channel = this.directChannel()
    const bot = this.#workspace.users.get(this.#botUserId)
    const root = this.#workspace.post(channel, {
      user: this.#botUserId,
      botId: bot?.botId,
      text: 'New Assistant Thread',
      subtype: 'assistant_app_thread',
    })
    return this.#dispatcher.assistantThreadStarted(this.id, channel, root.ts)
  }

  /** What the direct conversation offers to ask. */
  suggestedPrompts(): readonly SuggestedPrompt[] {
    return this.#workspace.suggestedPrompts(this.directChannel())
  }

  #own(message: MessageReference): SlackMessage {
    const found = this.#workspace.find(message.channel, message.ts)
    if (found === undefined) throw new Error(`There is no message ${message.ts} in ${message.channel}`)
    if (found.user !== this.id) throw new Error(`${this.name} cannot change a message of ${found.user}`)
    return found
  }
}

function threadTs(thread: MessageReference | string | undefined): string | undefined {
  return typeof thread === 'object' ? thread.ts : thread
}
