import type { Channel, DiscordUser, Message } from './discord-model.ts'
import type { Delivery } from './gateway-session.ts'
import type { JsonObject } from './json.ts'

/** interactions/receiving-and-responding, "Interaction Type". */
export const INTERACTION_TYPE = { command: 2, component: 3, autocomplete: 4, modalSubmit: 5 } as const

/** interactions/receiving-and-responding, "Interaction Callback Type". */
export const CALLBACK_TYPE = { message: 4, deferredMessage: 5, deferredUpdate: 6, update: 7, autocomplete: 8, modal: 9 } as const

/** Something that a person did with the app, and what the app has made of it so far. */
export interface Interaction {
  readonly id: string
  readonly token: string
  readonly type: number
  readonly user: DiscordUser
  readonly channel: Channel
  readonly issuedAt: number
  readonly commandName: string | undefined
  /** Of a press, and of a modal that a press opened: the message with the component. */
  readonly source: Message | undefined
  /** The type of its answer, unless that replies to a message. */
  readonly answerType: number
  /** The `type` of the callback; undefined until the app has acknowledged. */
  callback: number | undefined
  /** What `@original` means. */
  original: Message | undefined
  modal: JsonObject | undefined
  choices: readonly unknown[] | undefined
  deliveries: readonly Delivery[]
}

/**
 * What the person sees of it: `waiting` without an answer yet, `acknowledged`, or `failed` when the app has not answered within 3 s
 * ("The application did not respond").
 */
export type InteractionState = 'waiting' | 'acknowledged' | 'failed'
