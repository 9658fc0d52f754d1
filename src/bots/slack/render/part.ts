import { z } from 'zod'
import { pictureSchema } from '../../../charts/picture.ts'

/** An attached text, or a picture that is drawn on upload. */
const fileSchema = z.union([
  z.object({ name: z.string(), text: z.string() }),
  z.object({ name: z.string(), chart: pictureSchema }),
])
export type SlackFile = z.infer<typeof fileSchema>

/** One message as stored in the queue. `text` repeats the blocks in escaped form, for notifications, a plain resend, or a file's comment. */
export const slackPartSchema = z.object({
  text: z.string().min(1),
  blocks: z.array(z.looseObject({ type: z.string() })),
  /** The app's activity below a direct conversation. Only progress has one. */
  status: z.string().optional(),
  file: fileSchema.optional(),
})
export type SlackPart = z.infer<typeof slackPartSchema>
