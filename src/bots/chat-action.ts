import { z } from 'zod'
import { SIZES } from '../sizes.ts'

/**
 * What a person can press under something that Clew shows. `stop` ends a run, `retry` asks again after a failure, `choose` answers a question of
 * Clew's by one of its choices, `publish` shows a private answer to all; the others are about an answer.
 */
export const ACTION_NAMES = ['sql', 'csv', 'helpful', 'unhelpful', 'stop', 'retry', 'choose', 'publish'] as const
export type ActionName = (typeof ACTION_NAMES)[number]

/** A button, before a platform renders it. */
export interface ChatAction {
  readonly action: ActionName
  /** The run it belongs to. */
  readonly runId: string
  /** Which choice, counted from 0; of `choose` only. */
  readonly choice?: number
  /** What stands on it; plain text, cut by the platform's limit. */
  readonly label: string
  readonly emphasis?: 'primary' | 'danger'
}

/** What a press carries back, with the label left behind. */
export const pressedActionSchema = z.object({
  action: z.enum(ACTION_NAMES),
  runId: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/),
  choice: z.number().int().min(0).max(99).optional(),
})
export type PressedAction = z.infer<typeof pressedActionSchema>

const PREFIX = 'clew'

/** The id under which a platform hands a press back: `clew:choose:run_12ab:0`. */
export function actionId({ action, runId, choice }: ChatAction): string {
  return [PREFIX, action, runId, ...(choice === undefined ? [] : [String(choice)])].join(':')
}

/** Reads an id that came back with a press; undefined for anything that `actionId` has not made. */
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
