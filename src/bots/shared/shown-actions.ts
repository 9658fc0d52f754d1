import { actionId, type ChatAction } from '../../chat/action.ts'
import { shortLine } from './shown-text.ts'

/** A button in a form that every platform can render. */
export interface ShownAction {
  readonly id: string
  readonly label: string
  readonly emphasis: ChatAction['emphasis']
}

/** Turns actions into buttons, without duplicates. Drops surplus buttons and cuts long labels. */
export function shownActions(
  actions: readonly ChatAction[],
  most: { readonly buttons: number; readonly label: number },
): readonly ShownAction[] {
  const unique = [...new Map(actions.map(action => [actionId(action), action])).entries()]
  return unique.slice(0, most.buttons).map(([id, { action, label, emphasis }]) => ({
    id,
    label: shortLine(label, most.label) || action,
    emphasis,
  }))
}
