import { z } from 'zod'
import { RunError } from '../../../agent/run/error.ts'
import { isTooLong } from '../../../agent/run/question-size.ts'
import { SIZES } from '../../../base/sizes.ts'
import { readActionId } from '../../../chat/action.ts'
import type { ChatPress } from '../../../chat/event.ts'
import { chatWords } from '../../../words/chat.ts'
import type { Language } from '../../../words/language.ts'
import { slackWords } from '../../../words/slack.ts'
import { commandText } from '../../shared/command-text.ts'
import type { Tells } from '../../shared/platform-entry.ts'
import { PRESS_FORMS } from '../../shared/press-forms.ts'
import { ASK_ABOUT_SHORTCUT, SLACK_COMMANDS } from '../app.ts'
import { plainTextOf } from '../text.ts'
import { chatPlaceOf, type SlackIdentity } from './event.ts'
import { type FormOrigin, QUESTION_FORM, readForm } from './forms.ts'
import { keptResponseUrl, type ResponseUrl } from './response-url.ts'

const timestamp = z.string().regex(/^\d{1,10}\.\d{6}$/)
const person = z.object({ id: z.string().min(1), name: z.string().optional(), username: z.string().optional() })

/** The fields that Clew uses. Source: https://docs.slack.dev/reference/interaction-payloads/block_actions-payload. */
const blockActionsSchema = z.object({
  type: z.literal('block_actions'),
  user: person,
  trigger_id: z.string(),
  response_url: z.string().optional(),
  container: z.object({
    type: z.literal('message'),
    message_ts: timestamp,
    channel_id: z.string().min(1),
    thread_ts: timestamp.optional(),
  }),
  message: z.object({ thread_ts: timestamp.optional(), text: z.string().nullish() }).optional(),
  actions: z.array(z.object({ action_id: z.string(), value: z.string().optional(), action_ts: timestamp })).min(1),
})

/** A submitted form. Source: https://docs.slack.dev/reference/interaction-payloads/view-interactions-payload. */
const submissionSchema = z.object({ type: z.literal('view_submission'), user: person, view: z.unknown() })

/**
 * A use of the shortcut in a message's menu. Source:
 * https://docs.slack.dev/reference/interaction-payloads/shortcuts-interaction-payload.
 */
const shortcutSchema = z.object({
  type: z.literal('message_action'),
  callback_id: z.string(),
  trigger_id: z.string(),
  response_url: z.string().optional(),
  user: person,
  channel: z.object({ id: z.string().min(1) }),
  message: z.object({ ts: timestamp, thread_ts: timestamp.optional(), user: z.string().optional(), text: z.string().nullish() }),
})

/**
 * A slash command. Source: https://docs.slack.dev/interactivity/implementing-slash-commands, "Preparing your app to receive
 * commands".
 */
const commandSchema = z.object({
  command: z.string(),
  text: z.string().default(''),
  channel_id: z.string().min(1),
  user_id: z.string().min(1),
  user_name: z.string().optional(),
  response_url: z.string().optional(),
})

export interface AskedQuestion extends ResponseUrl {
  readonly channel: string
  /** The thread of the question. Absent: the question starts a thread. */
  readonly thread?: string
  readonly user: string
  readonly userName: string
  readonly text: string
}

/** An interaction in the form that the rest of the program uses. */
export type SlackInteraction =
  | { readonly kind: 'question'; readonly by: 'command' | 'form'; readonly question: AskedQuestion }
  /** A person wants to be told something alone. */
  | { readonly kind: 'tell'; readonly what: keyof Tells; readonly user: string }
  /** A command that is unknown or incomplete, or a question that is too long. */
  | {
      readonly kind: 'refused'
      readonly by: 'command' | 'form'
      readonly user: string
      readonly sentence: (language: Language) => string
    }
  /** A press of a button. If `opens` is set, it opens a form. The submitted form is a second press. */
  | {
      readonly kind: 'press'
      readonly by: 'button' | 'form'
      readonly press: ChatPress
      readonly opens?: { readonly triggerId: string; readonly answer: string; readonly origin: FormOrigin }
    }
  | {
      readonly kind: 'shortcut'
      readonly user: string
      readonly triggerId: string
      readonly text: string
      readonly origin: FormOrigin
    }
  | ({ readonly kind: 'unsupported'; readonly user?: string; readonly reason: string } & ResponseUrl)

export interface InteractionContext {
  readonly self: SlackIdentity
  /** The address of Slack's Web API. Undefined: Slack's own. */
  readonly apiUrl: string | undefined
  /** Unix time in milliseconds. */
  readonly now: () => number
}

export function readInteraction(payload: unknown, context: InteractionContext): SlackInteraction {
  const pressed = blockActionsSchema.safeParse(payload)
  if (pressed.success) return pressOf(pressed.data, context)
  const submitted = submissionSchema.safeParse(payload)
  if (submitted.success) return submissionOf(submitted.data, context)
  const shortcut = shortcutSchema.safeParse(payload)
  if (shortcut.success) return shortcutOf(shortcut.data, context)
  const command = commandSchema.safeParse(payload)
  if (command.success) return commandOf(command.data, context)
  return { kind: 'unsupported', reason: 'malformed' }
}

function pressOf(payload: z.infer<typeof blockActionsSchema>, { self, apiUrl }: InteractionContext): SlackInteraction {
  const { user, container, message, actions } = payload
  const kept = keptResponseUrl(payload.response_url, apiUrl)
  const [action] = actions
  // Feedback buttons share one action id, which names no action. The value of the pressed button then names the action.
  const pressed = action && (readActionId(action.action_id) ?? readActionId(action.value ?? ''))
  if (action === undefined || pressed === undefined) return { kind: 'unsupported', user: user.id, reason: 'button', ...kept }
  const { channel_id: channel, message_ts: messageId } = container
  const thread = container.thread_ts ?? message?.thread_ts ?? messageId
  const order = Number(action.action_ts.replace('.', ''))
  const pressId = `${action.action_ts}-${user.id}`
  const place = chatPlaceOf(self, channel, thread)
  const press: ChatPress = { place, pressId, order, user: user.id, pressed, messageId, interaction: { ...kept } }
  if (PRESS_FORMS[pressed.action] === undefined) return { kind: 'press', by: 'button', press }
  const origin = { channel, thread, message: messageId, order, ...kept }
  return { kind: 'press', by: 'button', press, opens: { triggerId: payload.trigger_id, answer: message?.text ?? '', origin } }
}

function submissionOf({ user, view }: z.infer<typeof submissionSchema>, context: InteractionContext): SlackInteraction {
  const form = readForm(view)
  if (form === undefined) return { kind: 'unsupported', reason: 'form' }
  const { text } = form
  const { channel, thread, message, order, responseUrl } = form.origin
  const kept = keptResponseUrl(responseUrl, context.apiUrl)
  if (form.callbackId === QUESTION_FORM) {
    return asked({ channel, thread, user: user.id, userName: nameOf(user), text, ...kept }, 'form')
  }
  const pressed = readActionId(form.callbackId)
  // An empty form is ignored, because it adds nothing to the press that opened it.
  if (pressed === undefined || text === '') return { kind: 'unsupported', reason: 'form without words' }
  const press: ChatPress = {
    place: chatPlaceOf(context.self, channel, thread),
    pressId: form.id,
    // Slack does not tell when the person submitted the form. So the current time is used, or a later one if needed, because the
    // form comes after the press that opened it.
    order: Math.max(context.now() * 1_000, order + 1),
    user: user.id,
    pressed,
    messageId: message,
    text: text.slice(0, SIZES.reason),
    interaction: { ...kept },
  }
  return { kind: 'press', by: 'form', press }
}

function shortcutOf(payload: z.infer<typeof shortcutSchema>, { self, apiUrl }: InteractionContext): SlackInteraction {
  const kept = keptResponseUrl(payload.response_url, apiUrl)
  if (payload.callback_id !== ASK_ABOUT_SHORTCUT)
    return { kind: 'unsupported', user: payload.user.id, reason: 'shortcut', ...kept }
  const { message, trigger_id: triggerId } = payload
  const order = Number(message.ts.replace('.', ''))
  const origin = { channel: payload.channel.id, thread: message.thread_ts ?? message.ts, message: message.ts, order, ...kept }
  // If the message is Clew's own answer, the form stays empty, because an answer is not a question.
  const text = message.user === self.user ? '' : plainTextOf((message.text ?? '').slice(0, SIZES.message), self.user)
  return { kind: 'shortcut', user: payload.user.id, triggerId, text, origin }
}

function commandOf(payload: z.infer<typeof commandSchema>, { self, apiUrl }: InteractionContext): SlackInteraction {
  const { channel_id: channel, user_id: user, user_name: userName = user } = payload
  const command = Object.entries(SLACK_COMMANDS).find(([name]) => name === payload.command)?.[1]
  if (command === undefined) return { kind: 'refused', by: 'command', user, sentence: language => chatWords(language).notKnown }
  if (command === 'usage' || command === 'console') return { kind: 'tell', what: command, user }
  if (payload.text.length > SIZES.message) return tooLong(user, 'command')
  const given = plainTextOf(payload.text, self.user)
  const text = commandText(command, command === 'lineage' ? lineageOptions(given) : { question: given })
  if (text === undefined) {
    const sentence = (language: Language) => slackWords(language).askLikeThis(slackWords(language).usages[command])
    return { kind: 'refused', by: 'command', user, sentence }
  }
  const kept = keptResponseUrl(payload.response_url, apiUrl)
  return asked({ channel, user, userName, text, ...kept }, 'command')
}

function asked(question: AskedQuestion, by: 'command' | 'form'): SlackInteraction {
  return isTooLong(question.text) ? tooLong(question.user, by) : { kind: 'question', by, question }
}

function tooLong(user: string, by: 'command' | 'form'): SlackInteraction {
  return { kind: 'refused', by, user, sentence: language => RunError.tooLong().inLanguage(language) }
}

/** Matches the option `--deep` of `/lineage`. Slack's clients turn two hyphens into a dash. */
const DEEP = /(?:^|(?<!\s)\s+)(?:--|[—–])deep(?=\s|$)/

function lineageOptions(given: string): { readonly job: string; readonly question: string; readonly deep: boolean } {
  const [, job = '', question = ''] = /^(\S*)\s*([\s\S]*)/.exec(given.replace(DEEP, '').trim()) ?? []
  return { job, question, deep: DEEP.test(given) }
}

function nameOf({ id, name, username }: z.infer<typeof person>): string {
  return name ?? username ?? id
}
