import type { Channel, DiscordUser, Message } from './discord-model.ts'
import type { Delivery } from './gateway-session.ts'
import type { JsonObject } from './json.ts'

/** Discord documents this in interactions/receiving-and-responding, "Interaction Type". */
export const INTERACTION_TYPE = { command: 2, component: 3, autocomplete: 4, modalSubmit: 5 } as const

/** Discord documents this in interactions/receiving-and-responding, "Interaction Callback Type". */
export const CALLBACK_TYPE = { message: 4, deferredMessage: 5, deferredUpdate: 6, update: 7, autocomplete: 8, modal: 9 } as const

/** One use of the app by a person, such as a command or a press, together with the app's reactions so far. */
export interface Interaction {
  readonly id: string
  readonly token: string
  readonly type: number
  readonly user: DiscordUser
  readonly channel: Channel
  readonly issuedAt: number
  readonly commandName: string | undefined
  /** The message that contains the pressed button. Also set for a form that a press has opened. */
  readonly source: Message | undefined
  /** The type of the message with which the app answers, unless it answers as a reply. */
  readonly answerType: number
  /** The `type` of the app's first response. Undefined until the app has responded. */
  callback: number | undefined
  /** The message that `@original` means for this interaction. */
  original: Message | undefined
  modal: JsonObject | undefined
  choices: readonly unknown[] | undefined
  deliveries: readonly Delivery[]
}

/**
 * The state of an interaction as the person sees it: `waiting`, `acknowledged`, or `failed`. It fails if the app does not respond within 3 s
 * ("The application did not respond").
 */
export type InteractionState = 'waiting' | 'acknowledged' | 'failed'
