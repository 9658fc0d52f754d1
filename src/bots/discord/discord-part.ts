import { z } from 'zod'
import { pictureSchema } from '../../agent/picture.ts'

/**
 * One message, as the queue keeps it. `text` is in Discord's Markdown, with everything in it escaped; it is shown in an embed or, where that is refused,
 * as the message's content.
 */
export const discordPartSchema = z.object({
  text: z.string().min(1),
  /** Of the stripe beside an embed; without one the text is the message's content from the start. */
  color: z.number().int().optional(),
  buttons: z.array(z.looseObject({ type: z.number() })).default([]),
  /** The only person that the message may notify. */
  mentions: z.string().optional(),
  /** Progress, which something else soon replaces. */
  isPassing: z.boolean().optional(),
  /** Drawn when it is posted. */
  chart: pictureSchema.optional(),
  /** Texts that are attached. */
  files: z.array(z.object({ name: z.string(), text: z.string() })).default([]),
})
export type DiscordPart = z.infer<typeof discordPartSchema>
