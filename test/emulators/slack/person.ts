import type { EventDispatcher } from './event-dispatcher.ts'
import type { Interactions } from './interactions.ts'
import { richTextOf } from './message-payload.ts'
import type { MessageReference, SlackChannel, SlackMessage, SlackUser } from './slack-model.ts'
import type { Delivery } from './socket-mode.ts'
import type { ShownHome, ShownModal, Views } from './views.ts'
import type { SuggestedPrompt, Workspace } from './workspace.ts'

/** A message that a person posted, and the events that the app got for it. */
export interface SentMessage extends MessageReference {
  readonly threadTs: string | undefined
  /**
   * The events that the post has caused. A mention causes two, `app_mention` and `message`, with different event ids. Events of later edits and
   * of the deletion are not included.
   */
  readonly deliveries: readonly Delivery[]
}

export interface PostOptions {
  /** The thread in which to reply: any message with this thread's `ts`, or the `ts` itself. */
  readonly thread?: MessageReference | string
  readonly files?: readonly { readonly name: string; readonly content: string | Buffer }[]
  /** Whether the reply is shown in the channel too. Such a reply has the subtype `thread_broadcast`. */
  readonly broadcast?: boolean
}

/** A person, or the bot of another app, with methods for their actions. A parameter `channel` is a channel's id or name. */
export class Person {
  readonly id: string
  readonly name: string
  /** A mention of this person, as it is written in a message: `<@U…>`. */
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
   * Posts `text` in Slack's own form: mentions as `<@U…>`, a literal `<` as `&lt;`. The person first joins a public channel, as in Slack's client.
   * With a file, the message has the subtype `file_share`.
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

  /** Posts a message in this person's direct conversation with the bot. */
  directMessage(text: string, options: PostOptions = {}): SentMessage {
    return this.post(this.directChannel(), text, options)
  }

  /** Returns the id of this person's direct conversation with the bot. */
  directChannel(): string {
    return this.#workspace.directChannel(this.id, this.#botUserId).id
  }

  edit(message: MessageReference, text: string): void {
    const found = this.#own(message)
    this.#workspace.edit(found, this.id, { text, blocks: [richTextOf(text, this.#workspace.newId('b'))] })
  }

  /** Deletes a message of this person. If the message has replies, "This message was deleted" stays in its place. */
  delete(message: MessageReference): void {
    this.#workspace.delete(this.#own(message))
  }

  join(channel: string): void {
    this.#workspace.join(this.#resolve(channel), this.id)
  }

  leave(channel: string): void {
    this.#resolve(channel).members.delete(this.id)
  }

  /** Adds somebody to a channel, such as the bot. */
  invite(user: string, channel: string): void {
    this.#workspace.join(this.#resolve(channel), user, this.id)
  }

  /** Sends a slash command, such as `/ask`, with its text. Slack does not allow commands in threads. */
  command(channel: string, command: string, text: string): Delivery {
    return this.#interactions.command(this.#user, this.#resolve(channel), command, text)
  }

  /** Presses the button with this `action_id`, `value` or label. Feedback buttons work the same way. */
  press(
    message: MessageReference,
    button: { readonly actionId?: string; readonly value?: string; readonly label?: string },
  ): Delivery {
    return this.#interactions.press(this.#user, message, button)
  }

  /** Uses a shortcut of the app in a message's menu. */
  shortcut(message: MessageReference, callbackId: string): Delivery {
    return this.#interactions.shortcut(this.#user, message, callbackId)
  }

  /** Returns the form that this person has open. Returns undefined if there is none. */
  modal(): ShownModal | undefined {
    return this.#views.modal(this.id)
  }

  /** Types texts into the fields of the open form, and submits it. The keys of `texts` are the `block_id` of each field. */
  submitModal(texts: { readonly [blockId: string]: string } = {}): Delivery {
    return this.#views.submit(this.#user, texts)
  }

  /** Cancels the open form. The app is told about this only if it asked for it. */
  closeModal(): Delivery | undefined {
    return this.#views.close(this.#user)
  }

  /** Opens the home tab of the app. */
  openHome(): Delivery | undefined {
    return this.#dispatcher.homeOpened(this.id, this.directChannel(), 'home')
  }

  /** Returns the content of the home tab that the app has published for this person. */
  home(): ShownHome | undefined {
    return this.#views.home(this.id)
  }

  /** Opens the direct conversation with the bot, which sends the app an event. */
  openMessages(): Delivery | undefined {
    return this.#dispatcher.homeOpened(this.id, this.directChannel(), 'messages')
  }

  /** Opens a new thread with an app that uses `assistant_view`. As in Slack, the app writes the first message. */
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

  /** Returns the suggested prompts in this person's direct conversation with the bot. */
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
