import { z } from 'zod'
import { SLACK_LIMITS } from './slack-limits.ts'

/** A text with 1 to `maximum` UTF-16 units. Slack does not say how it counts. This count is never too generous. */
export function boundedText(maximum: number) {
  return z.string().min(1).max(maximum)
}

/** An object must have no unknown field, because Slack refuses the whole message for one (github.com/CopilotKit/CopilotKit/pull/6462). */
export function plainText(maximum: number) {
  return z.strictObject({ type: z.literal('plain_text'), text: boundedText(maximum), emoji: z.boolean().optional() })
}

export function markdownText(maximum: number) {
  return z.strictObject({ type: z.literal('mrkdwn'), text: boundedText(maximum), verbatim: z.boolean().optional() })
}

export function anyText(maximum: number) {
  return z.discriminatedUnion('type', [plainText(maximum), markdownText(maximum)])
}

const actionId = boundedText(SLACK_LIMITS.actionId).optional()
const style = z.enum(['primary', 'danger']).optional()

const confirm = z.strictObject({
  title: plainText(SLACK_LIMITS.confirmTitle),
  text: anyText(SLACK_LIMITS.confirmText),
  confirm: plainText(SLACK_LIMITS.confirmButton),
  deny: plainText(SLACK_LIMITS.confirmButton),
  style,
})

export const button = z.strictObject({
  type: z.literal('button'),
  text: plainText(SLACK_LIMITS.buttonText),
  action_id: actionId,
  url: z.url().max(SLACK_LIMITS.buttonUrl).optional(),
  value: z.string().max(SLACK_LIMITS.buttonValue).optional(),
  style,
  confirm: confirm.optional(),
  accessibility_label: z.string().max(SLACK_LIMITS.buttonText).optional(),
})

const option = z.strictObject({
  text: anyText(SLACK_LIMITS.optionText),
  value: boundedText(SLACK_LIMITS.optionValue),
  description: anyText(SLACK_LIMITS.optionText).optional(),
  url: z.url().max(SLACK_LIMITS.buttonUrl).optional(),
})

const overflow = z.strictObject({
  type: z.literal('overflow'),
  action_id: actionId,
  options: z.array(option).min(1).max(SLACK_LIMITS.overflowOptions),
  confirm: confirm.optional(),
})

const staticSelect = z.strictObject({
  type: z.literal('static_select'),
  action_id: actionId,
  options: z.array(option).min(1).max(SLACK_LIMITS.selectOptions),
  placeholder: plainText(SLACK_LIMITS.optionValue).optional(),
  initial_option: option.optional(),
  confirm: confirm.optional(),
  focus_on_load: z.boolean().optional(),
})

const feedbackButton = z.strictObject({
  text: plainText(SLACK_LIMITS.buttonText),
  value: boundedText(SLACK_LIMITS.buttonValue),
  accessibility_label: z.string().max(SLACK_LIMITS.buttonText).optional(),
})

const feedbackButtons = z.strictObject({
  type: z.literal('feedback_buttons'),
  action_id: actionId,
  positive_button: feedbackButton,
  negative_button: feedbackButton,
})

const iconButton = z.strictObject({
  type: z.literal('icon_button'),
  icon: z.literal('trash'),
  text: plainText(SLACK_LIMITS.buttonText),
  action_id: actionId,
  value: z.string().max(SLACK_LIMITS.buttonValue).optional(),
  confirm: confirm.optional(),
  accessibility_label: z.string().max(SLACK_LIMITS.buttonText).optional(),
  visible_to_user_ids: z.array(z.string()).optional(),
})

export const imageElement = z.strictObject({
  type: z.literal('image'),
  image_url: z.url().max(SLACK_LIMITS.imageUrl),
  alt_text: boundedText(SLACK_LIMITS.imageText),
})

/** The interactive elements that the emulator supports in messages. It refuses all other elements. */
export const actionElement = z.discriminatedUnion('type', [button, overflow, staticSelect])
export const sectionAccessory = z.discriminatedUnion('type', [button, overflow, staticSelect, imageElement])
export const contextElement = z.discriminatedUnion('type', [
  imageElement,
  plainText(SLACK_LIMITS.textObject),
  markdownText(SLACK_LIMITS.textObject),
])
export const contextAction = z.discriminatedUnion('type', [feedbackButtons, iconButton])
