import { z } from 'zod'
import { boundedText, plainText } from './block-elements.ts'
import { blockSchema } from './block-schemas.ts'
import { SLACK_LIMITS } from './slack-limits.ts'

const plainTextInput = z.strictObject({
  type: z.literal('plain_text_input'),
  action_id: boundedText(SLACK_LIMITS.actionId).optional(),
  initial_value: z.string().max(SLACK_LIMITS.inputText).optional(),
  multiline: z.boolean().optional(),
  min_length: z.number().int().min(0).max(SLACK_LIMITS.inputText).optional(),
  max_length: z.number().int().min(1).max(SLACK_LIMITS.inputText).optional(),
  focus_on_load: z.boolean().optional(),
  placeholder: plainText(SLACK_LIMITS.inputPlaceholder).optional(),
})

/** Only the kind of input that Clew's forms use is supported. Slack documents this at docs.slack.dev/reference/block-kit/blocks/input-block. */
const inputBlock = z.strictObject({
  type: z.literal('input'),
  block_id: boundedText(SLACK_LIMITS.blockId).optional(),
  label: plainText(SLACK_LIMITS.inputLabel),
  element: plainTextInput,
  hint: plainText(SLACK_LIMITS.inputLabel).optional(),
  optional: z.boolean().optional(),
  dispatch_action: z.boolean().optional(),
})

/**
 * The blocks of views that the emulator supports. Input blocks are not allowed in messages: docs.slack.dev/reference/block-kit/blocks/input-block,
 * "Available in".
 */
export const viewBlockSchema = z.discriminatedUnion('type', [...blockSchema.options, inputBlock])

const shared = {
  blocks: z.unknown(),
  private_metadata: z.string().max(SLACK_LIMITS.privateMetadata).optional(),
  callback_id: boundedText(SLACK_LIMITS.callbackId).optional(),
  external_id: boundedText(SLACK_LIMITS.callbackId).optional(),
}

/** Slack documents this at docs.slack.dev/reference/views/modal-views, "Modal view object fields". */
export const modalSchema = z.strictObject({
  type: z.literal('modal'),
  title: plainText(SLACK_LIMITS.viewTitle),
  close: plainText(SLACK_LIMITS.viewButton).optional(),
  submit: plainText(SLACK_LIMITS.viewButton).optional(),
  clear_on_close: z.boolean().optional(),
  notify_on_close: z.boolean().optional(),
  submit_disabled: z.boolean().optional(),
  ...shared,
})

/** Slack documents this at docs.slack.dev/reference/views/home-tab-views, "Home tab view object fields". */
export const homeSchema = z.strictObject({ type: z.literal('home'), ...shared })
