import { z } from 'zod'
import { ChatError } from '../../chat/error.ts'

/** The `event_type` of a post's metadata. The metadata hold a marker, by which Clew recognises its post. */
export const MARKER_EVENT = 'clew_reply'

export const postedSchema = z.object({ ts: z.string().min(1) })
export const identitySchema = z.object({ user_id: z.string().min(1) })
export const openedSchema = z.object({ channel: z.object({ id: z.string().min(1) }) })
export const uploadSchema = z.object({ upload_url: z.url(), file_id: z.string().min(1) })

const messageSchema = z.object({
  ts: z.string(),
  user: z.string().optional(),
  metadata: z
    .object({
      event_type: z.string().optional(),
      event_payload: z.looseObject({ marker: z.unknown().optional() }).optional(),
    })
    .optional(),
  files: z.array(z.object({ id: z.string(), name: z.string().nullish() })).default([]),
  blocks: z.array(z.object({ block_id: z.string().nullish() })).default([]),
})
export type SlackMessage = z.infer<typeof messageSchema>

/** A page of `conversations.replies` or `conversations.history`, with the fields that Clew uses. */
export const messagesSchema = z.object({
  messages: z.array(messageSchema).default([]),
  response_metadata: z.object({ next_cursor: z.string().optional() }).optional(),
})

/**
 * Parses Slack's response.
 * @throws ChatError `unavailable` for a response that does not have the documented form
 */
export function readResponse<Schema extends z.ZodType>(schema: Schema, response: unknown): z.output<Schema> {
  const parsed = schema.safeParse(response)
  if (parsed.success) return parsed.data
  throw new ChatError('Slack answered in a form that is not documented.', { kind: 'unavailable', cause: parsed.error })
}
