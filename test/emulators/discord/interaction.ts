import type { Channel, DiscordUser, Message } from './discord-model.ts'
import type { Delivery } from './gateway-session.ts'
import type { JsonObject } from './json.ts'

/** interactions/receiving-and-responding, "Interaction Type". */
export const INTERACTION_TYPE = { command: 2, component: 3, autocomplete: 4, modalSubmit: 5 } as const

/** interactions/receiving-and-responding, "Interaction Callback Type". */
export const CALLBACK_TYPE = { message: 4, deferredMessage: 5, deferredUpdate: 6, update: 7, autocomplete: 8, modal: 9 } as const

/** A person's use of the app, with the app's reactions so far. */
export interface Interaction {
  readonly id: string
  readonly token: string
  readonly type: number
  readonly user: DiscordUser
  readonly channel: Channel
  readonly issuedAt: number
  readonly commandName: string | undefined
  /** The message with the pressed component. Also set for a modal that a press opened. */
  readonly source: Message | undefined
  /** The type of the message that answers, unless the answer is a reply. */
  readonly answerType: number
  /** The callback's `type`. Undefined until the app has acknowledged. */
  callback: number | undefined
  /** The target of `@original`. */
  original: Message | undefined
  modal: JsonObject | undefined
  choices: readonly unknown[] | undefined
  deliveries: readonly Delivery[]
}

/**
 * The state as the person sees it: `waiting`, `acknowledged`, or `failed` without a response within 3 s ("The application did not respond").
 */
export type InteractionState = 'waiting' | 'acknowledged' | 'failed'
