import { z } from 'zod'
import { pictureSchema } from '../../agent/picture.ts'

/** A text that is attached, or a picture that is drawn when it is. */
const fileSchema = z.union([
  z.object({ name: z.string(), text: z.string() }),
  z.object({ name: z.string(), chart: pictureSchema }),
])
export type SlackFile = z.infer<typeof fileSchema>

/**
 * One message, as the queue keeps it. `text` says all that the blocks say, escaped: it is what notifications and a plain resend show, and what stands
 * above a file.
 */
export const slackPartSchema = z.object({
  text: z.string().min(1),
  blocks: z.array(z.looseObject({ type: z.string() })),
  /** The app's activity, which Slack tells below a direct conversation. Progress has one, and is soon replaced. */
  status: z.string().optional(),
  file: fileSchema.optional(),
})
export type SlackPart = z.infer<typeof slackPartSchema>
