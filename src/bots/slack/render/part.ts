import { z } from 'zod'
import { pictureSchema } from '../../../charts/picture.ts'

/** A message's file: a text, or a picture that is drawn on upload. */
const fileSchema = z.union([
  z.object({ name: z.string(), text: z.string() }),
  z.object({ name: z.string(), chart: pictureSchema }),
])
export type SlackFile = z.infer<typeof fileSchema>

/**
 * One message, as the queue stores it. `text` repeats the content of the blocks in escaped form. Slack shows it in notifications,
 * above a file, and if it refuses the blocks.
 */
export const slackPartSchema = z.object({
  text: z.string().min(1),
  blocks: z.array(z.looseObject({ type: z.string() })),
  /** A text such as "is thinking…" below a direct conversation. Only progress messages have one. */
  status: z.string().optional(),
  file: fileSchema.optional(),
})
export type SlackPart = z.infer<typeof slackPartSchema>
