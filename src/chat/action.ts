import { z } from 'zod'
import { SIZES } from '../base/sizes.ts'

/**
 * The buttons below a message. `stop` ends a run, and `retry` repeats a failed one. `choose` answers a question from Clew,
 * `publish` shares a private answer, `repeat` has the question asked again and again, and `yaml` hands over the file of a drafted
 * pipeline. `acknowledge`, `snooze` and `why` belong to an alert, and the other buttons to an answer.
 */
export const ACTION_NAMES = [
  'sources',
  'sql',
  'csv',
  'yaml',
  'repeat',
  'helpful',
  'unhelpful',
  'stop',
  'retry',
  'choose',
  'publish',
  'acknowledge',
  'snooze',
  'why',
] as const
export type ActionName = (typeof ACTION_NAMES)[number]

/** A button before a platform renders it. */
export interface ChatAction {
  readonly action: ActionName
  readonly runId: string
  /** The index of the choice, from 0. Only `choose` has one. */
  readonly choice?: number
  /** The button's text, without formatting. The platform cuts a long one. */
  readonly label: string
  readonly emphasis?: 'primary' | 'danger'
}

/** The part of a button that comes back with a press: everything except the label. */
export const pressedActionSchema = z.object({
  action: z.enum(ACTION_NAMES),
  runId: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/),
  choice: z.number().int().min(0).max(99).optional(),
})
export type PressedAction = z.infer<typeof pressedActionSchema>

const PREFIX = 'clew'

/** Returns a button's id, such as `clew:choose:run_12ab:0`. The platform sends it back with a press. */
export function actionId({ action, runId, choice }: ChatAction): string {
  return [PREFIX, action, runId, ...(choice === undefined ? [] : [String(choice)])].join(':')
}

/**
 * Parses a button's id.
 * @returns undefined if `actionId` did not make the id
 */
export function readActionId(id: string): PressedAction | undefined {
  if (id.length > SIZES.customId) return undefined
  const [prefix, action, runId, choice, ...others] = id.split(':')
  if (prefix !== PREFIX || others.length > 0 || (choice !== undefined && !/^\d{1,2}$/.test(choice))) return undefined
  const parsed = pressedActionSchema.safeParse({
    action,
    runId,
    ...(choice === undefined ? {} : { choice: Number(choice) }),
  })
  return parsed.success ? parsed.data : undefined
}
