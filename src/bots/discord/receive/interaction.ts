import { z } from 'zod'
import { SIZES } from '../../../base/sizes.ts'
import { type PressedAction, readActionId } from '../../../chat/action.ts'
import type { ChatMessage, ChatPress } from '../../../chat/event.ts'
import { type Language, languageOf } from '../../../words/language.ts'
import { commandText } from '../../shared/command-text.ts'
import type { Tells } from '../../shared/platform-entry.ts'
import { PRESS_FORMS, type PressForm } from '../../shared/press-forms.ts'
import { shownText } from '../../shared/shown-text.ts'
import { snowflakeOrder } from '../snowflake.ts'
import { CHANNEL_TYPES, chatPlaceOf, DIRECT_WORKSPACE, type DiscordChannels, hasThreads, snowflakeSchema } from './event.ts'

/** Discord's interaction types. Source: discord.com/developers/docs/interactions/receiving-and-responding, "Interaction Type". */
const TYPES = { command: 2, component: 3, modalSubmit: 5 } as const

/**
 * The permissions for answering in an existing thread, and for starting a thread. Source:
 * discord.com/developers/docs/topics/permissions.
 */
const IN_THREADS = (1n << 10n) | (1n << 38n)
const START_THREADS = IN_THREADS | (1n << 35n)

/** The fields that Clew uses. Source: discord.com/developers/docs/interactions/receiving-and-responding, "Interaction Object". */
const interactionSchema = z.object({
  id: snowflakeSchema,
  token: z.string().min(1),
  type: z.number(),
  guild_id: snowflakeSchema.optional(),
  channel_id: snowflakeSchema,
  channel: z.object({ type: z.number().optional(), parent_id: snowflakeSchema.nullish() }).optional(),
  member: z.object({ user: z.object({ id: snowflakeSchema }) }).optional(),
  user: z.object({ id: snowflakeSchema }).optional(),
  app_permissions: z
    .string()
    .regex(/^\d{1,40}$/)
    .default('0'),
  /** The user's language setting in Discord. */
  locale: z.string().optional().transform(languageOf),
  message: z.object({ id: snowflakeSchema, interaction_metadata: z.object({ id: snowflakeSchema }).nullish() }).optional(),
  data: z.looseObject({}).default({}),
})
type Interaction = z.infer<typeof interactionSchema>

const commandSchema = z.object({
  name: z.string(),
  type: z.literal(1),
  options: z.array(z.object({ name: z.string(), value: z.union([z.string(), z.number(), z.boolean()]).optional() })).default([]),
})
const componentSchema = z.object({ custom_id: z.string() })
const modalSchema = z.object({
  custom_id: z.string(),
  components: z.array(z.object({ component: z.looseObject({ value: z.string().optional() }).optional() })).default([]),
})

/**
 * The kind of first response to an interaction: a "thinking" message (`message`), nothing visible (`update`), or a form
 * (`modal`).
 */
export type Acknowledgement =
  | { readonly response: 'message'; readonly isEphemeral: boolean }
  | { readonly response: 'update' }
  | { readonly response: 'modal'; readonly customId: string; readonly form: PressForm; readonly language: Language }

export interface InteractionKeys {
  readonly id: string
  readonly token: string
}

/**
 * An interaction in the form that the rest of the program uses. A thread may start at the first response, so `toMessage` takes
 * that response's id.
 */
export type InteractionEvent = MeantInteraction & {
  /** The user's language setting in Discord. */
  readonly language?: Language
}

type MeantInteraction =
  | {
      readonly kind: 'command'
      readonly keys: InteractionKeys
      readonly acknowledgement: Extract<Acknowledgement, { response: 'message' }>
      readonly question: string
      toMessage(responseId: string): Promise<ChatMessage | undefined>
    }
  | {
      readonly kind: 'press'
      readonly keys: InteractionKeys
      readonly acknowledgement: Acknowledgement
      /**
       * Undefined if the person submits an empty form. Nothing is then left to accept, because the press that opened the form was
       * accepted already.
       */
      readonly press: ChatPress | undefined
    }
  /** A person wants to be told something alone. */
  | {
      readonly kind: 'tell'
      readonly what: keyof Tells
      readonly keys: InteractionKeys
      readonly user: string
      readonly workspace: string
    }
  | { readonly kind: 'unsupported'; readonly reason: string; readonly keys?: InteractionKeys }

/** The presses that get a private message as reply. Other presses change a message or show nothing. */
const ANSWERED_ALONE: ReadonlySet<PressedAction['action']> = new Set(['sources', 'sql', 'csv', 'yaml'])

/** Translates an INTERACTION_CREATE payload into an event. */
export async function discordInteractionEvent(payload: unknown, channels: DiscordChannels): Promise<InteractionEvent> {
  const parsed = interactionSchema.safeParse(payload)
  if (!parsed.success) return { kind: 'unsupported', reason: 'malformed' }
  const interaction = parsed.data
  const user = (interaction.member?.user ?? interaction.user)?.id
  if (user === undefined) return { kind: 'unsupported', reason: 'nobody' }
  const event =
    interaction.type === TYPES.command
      ? commandEvent(interaction, user, channels)
      : interaction.type === TYPES.component || interaction.type === TYPES.modalSubmit
        ? await pressEvent(interaction, user, channels)
        : ({ kind: 'unsupported', reason: `interaction type ${interaction.type}` } as const)
  return { ...event, ...(interaction.locale && { language: interaction.locale }) }
}

function commandEvent(interaction: Interaction, author: string, channels: DiscordChannels): MeantInteraction {
  const keys = keysOf(interaction)
  const command = commandSchema.safeParse(interaction.data)
  if (!command.success) return { kind: 'unsupported', reason: 'command', keys }
  const { name } = command.data
  if (name === 'usage' || name === 'console') {
    return { kind: 'tell', what: name, keys, user: author, workspace: interaction.guild_id ?? DIRECT_WORKSPACE }
  }
  const options = new Map(command.data.options.map(({ name, value }) => [name, value]))
  const text = commandText(name, {
    question: String(options.get('question') ?? options.get('change') ?? ''),
    job: String(options.get('job') ?? ''),
    deep: options.get('deep') === true,
  })
  if (text === undefined) return { kind: 'unsupported', reason: `command ${name}`, keys }
  const isPrivate = options.get('private') === true || !canAnswerOpenly(interaction)
  return {
    kind: 'command',
    keys,
    acknowledgement: { response: 'message', isEphemeral: isPrivate },
    question: text,
    async toMessage(responseId) {
      const root = isPrivate ? interaction.id : responseId
      const place = await placeOfInteraction(interaction, root, channels)
      if (place === undefined) return undefined
      return {
        // Nobody can reply to a private answer, so each private question starts its own conversation.
        place: isPrivate ? { ...place, thread: root } : place,
        ...(isPrivate ? { publicThread: place.thread === root ? place.channel : place.thread } : {}),
        messageId: root,
        order: snowflakeOrder(interaction.id),
        author,
        text,
        addressed: true,
        ...(isPrivate ? { isPrivate } : {}),
        ...(interaction.locale && { language: interaction.locale }),
        interaction: { ...keys, response: 'message' },
      }
    },
  }
}

/**
 * Whether Clew may answer in public. In direct messages, this is always allowed. In a server, Clew must be able to write in the
 * thread or start one.
 */
function canAnswerOpenly({ guild_id, channel, app_permissions }: Interaction): boolean {
  if (guild_id === undefined) return true
  const isThread = CHANNEL_TYPES.threads.includes(channel?.type ?? -1)
  const needed = isThread ? IN_THREADS : START_THREADS
  return (isThread || hasThreads(channel?.type)) && (BigInt(app_permissions) & needed) === needed
}

async function pressEvent(interaction: Interaction, user: string, channels: DiscordChannels): Promise<MeantInteraction> {
  const keys = keysOf(interaction)
  const isSubmit = interaction.type === TYPES.modalSubmit
  const component = componentSchema.safeParse(interaction.data)
  const pressed = component.success ? readActionId(component.data.custom_id) : undefined
  const { message } = interaction
  if (pressed === undefined || !component.success || message === undefined)
    return { kind: 'unsupported', reason: 'component', keys }
  // If the pressed message is private, it belongs to an interaction. That interaction's id is also the id of the conversation.
  const place = await placeOfInteraction(interaction, message.interaction_metadata?.id ?? message.id, channels)
  if (place === undefined) return { kind: 'unsupported', reason: 'no channel', keys }
  const language = interaction.locale ?? 'en'
  const form = isSubmit ? undefined : PRESS_FORMS[pressed.action]?.(language)
  const response = ANSWERED_ALONE.has(pressed.action) ? 'message' : 'update'
  const text = isSubmit ? submittedText(interaction.data) : ''
  const press: ChatPress = {
    place,
    pressId: interaction.id,
    order: snowflakeOrder(interaction.id),
    user,
    pressed,
    messageId: message.id,
    ...(text === '' ? {} : { text }),
    ...(interaction.locale && { language: interaction.locale }),
    interaction: { ...keys, response },
  }
  return {
    kind: 'press',
    keys,
    acknowledgement: form
      ? { response: 'modal', customId: component.data.custom_id, form, language }
      : response === 'message'
        ? { response, isEphemeral: true }
        : { response },
    press: isSubmit && text === '' ? undefined : press,
  }
}

function submittedText(data: unknown): string {
  const modal = modalSchema.safeParse(data)
  const written = modal.success ? (modal.data.components[0]?.component?.value ?? '') : ''
  return shownText(written.slice(0, SIZES.reason)).trim()
}

function placeOfInteraction(interaction: Interaction, root: string, channels: DiscordChannels) {
  const { guild_id, channel_id, channel } = interaction
  const isDirect = guild_id === undefined
  const parent = channel?.parent_id ?? undefined
  const own: DiscordChannels = {
    find: id => channels.find(id),
    known: id =>
      id === channel_id && parent !== undefined ? { type: channel?.type ?? 0, name: undefined, parent } : channels.known(id),
  }
  return chatPlaceOf({ guild_id, channel_id, type: isDirect ? CHANNEL_TYPES.direct : channel?.type }, root, own)
}

function keysOf({ id, token }: Interaction): InteractionKeys {
  return { id, token }
}
