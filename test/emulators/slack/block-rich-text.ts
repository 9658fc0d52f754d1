import { z } from 'zod'

const textStyle = z
  .strictObject({
    bold: z.boolean().optional(),
    italic: z.boolean().optional(),
    strike: z.boolean().optional(),
    code: z.boolean().optional(),
    underline: z.boolean().optional(),
    highlight: z.boolean().optional(),
    client_highlight: z.boolean().optional(),
    unlink: z.boolean().optional(),
  })
  .optional()

const text = z.strictObject({ type: z.literal('text'), text: z.string().min(1), style: textStyle })
const link = z.strictObject({
  type: z.literal('link'),
  url: z.string().min(1),
  text: z.string().optional(),
  unsafe: z.boolean().optional(),
  style: textStyle,
})

/** Slack documents this at docs.slack.dev/reference/block-kit/blocks/rich-text-block, "Element types". */
const inlineElement = z.discriminatedUnion('type', [
  text,
  link,
  z.strictObject({ type: z.literal('broadcast'), range: z.enum(['here', 'channel', 'everyone']), style: textStyle }),
  z.strictObject({ type: z.literal('channel'), channel_id: z.string().min(1), style: textStyle }),
  z.strictObject({ type: z.literal('user'), user_id: z.string().min(1), style: textStyle }),
  z.strictObject({ type: z.literal('usergroup'), usergroup_id: z.string().min(1), style: textStyle }),
  z.strictObject({ type: z.literal('color'), value: z.string().min(1), style: textStyle }),
  z.strictObject({
    type: z.literal('emoji'),
    name: z.string().min(1),
    unicode: z.string().optional(),
    url: z.string().optional(),
    style: textStyle,
  }),
  z.strictObject({
    type: z.literal('date'),
    timestamp: z.number().int(),
    format: z.string().min(1),
    url: z.string().optional(),
    fallback: z.string().optional(),
    style: textStyle,
  }),
])

const section = z.strictObject({ type: z.literal('rich_text_section'), elements: z.array(inlineElement) })

export const richTextBlock = z.strictObject({
  type: z.literal('rich_text'),
  block_id: z.string().max(255).optional(),
  elements: z
    .array(
      z.discriminatedUnion('type', [
        section,
        z.strictObject({
          type: z.literal('rich_text_list'),
          style: z.enum(['bullet', 'ordered']),
          elements: z.array(section).min(1),
          indent: z.number().int().min(0).max(8).optional(),
          offset: z.number().int().min(0).optional(),
          border: z.number().int().min(0).max(1).optional(),
        }),
        z.strictObject({
          type: z.literal('rich_text_quote'),
          elements: z.array(inlineElement),
          border: z.number().int().min(0).max(1).optional(),
        }),
        z.strictObject({
          type: z.literal('rich_text_preformatted'),
          elements: z.array(z.discriminatedUnion('type', [text, link])),
          border: z.number().int().min(0).max(1).optional(),
          language: z.string().optional(),
        }),
      ]),
    )
    .min(1),
})
