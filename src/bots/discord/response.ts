import { z } from 'zod'
import { ChatError } from '../../chat/error.ts'

/** A message from Discord's REST interface, with the fields that Clew uses. */
export const discordMessageSchema = z.object({
  id: z.string().min(1),
  content: z.string().default(''),
  flags: z.number().default(0),
  author: z.object({ id: z.string() }).optional(),
  nonce: z.union([z.string(), z.number()]).nullish(),
  embeds: z.array(z.object({ description: z.string().optional(), url: z.string().optional() })).default([]),
})
export type DiscordMessage = z.infer<typeof discordMessageSchema>

export const discordMessagesSchema = z.array(discordMessageSchema)
export const identifiedSchema = z.object({ id: z.string().min(1) })

/** Whether a message already shows the content of a request body. */
export function showsBody(message: DiscordMessage, body: unknown): boolean {
  const wanted = shownSchema.parse(body)
  const text = ({ content, embeds }: z.infer<typeof shownSchema>) => (embeds[0]?.description ?? content).trim()
  return text(message) === text(wanted)
}

const shownSchema = discordMessageSchema.pick({ content: true, embeds: true })

/**
 * Parses Discord's response.
 * @throws ChatError `unavailable` for a response that does not have the documented form
 */
export function readResponse<Schema extends z.ZodType>(schema: Schema, response: unknown): z.output<Schema> {
  const parsed = schema.safeParse(response)
  if (parsed.success) return parsed.data
  throw new ChatError('Discord answered in a form that is not documented.', { kind: 'unavailable', cause: parsed.error })
}
