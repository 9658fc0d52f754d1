import { z } from 'zod'
import { pictureSchema } from '../../../charts/picture.ts'

/**
 * One message as stored in the queue. `text` is escaped Discord Markdown. It appears in an embed or, if Discord refuses that, as
 * the message's content.
 */
export const discordPartSchema = z.object({
  text: z.string().min(1),
  /** The color of the embed's stripe. Without it, the text is plain content from the start. */
  color: z.number().int().optional(),
  buttons: z.array(z.looseObject({ type: z.number() })).default([]),
  /** The only person whom the message may notify. */
  mentions: z.string().optional(),
  /** Progress, which is soon replaced. */
  isPassing: z.boolean().optional(),
  /** Drawn when the message is posted. */
  chart: pictureSchema.optional(),
  files: z.array(z.object({ name: z.string(), text: z.string() })).default([]),
})
export type DiscordPart = z.infer<typeof discordPartSchema>
