import { z } from 'zod'
import { pictureSchema } from '../../../charts/picture.ts'

/**
 * One message, as the queue stores it. `text` is escaped Discord Markdown. The text is shown in an embed. If Discord refuses the
 * embed, the text becomes the message's content.
 */
export const discordPartSchema = z.object({
  text: z.string().min(1),
  /** The color of the embed's stripe. Without a color, the text is plain content, and there is no embed. */
  color: z.number().int().optional(),
  buttons: z.array(z.looseObject({ type: z.number() })).default([]),
  /** The id of the only person that the message may notify. */
  mentions: z.string().optional(),
  /** Whether the message shows progress. The answer soon replaces it. */
  isPassing: z.boolean().optional(),
  /** The chart is drawn when the message is posted. */
  chart: pictureSchema.optional(),
  files: z.array(z.object({ name: z.string(), text: z.string() })).default([]),
})
export type DiscordPart = z.infer<typeof discordPartSchema>
