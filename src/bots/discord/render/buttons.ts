import type { ChatAction } from '../../../chat/action.ts'
import { shownActions } from '../../shared/shown-actions.ts'
import { DISCORD_LIMITS } from '../limits.ts'
import type { DiscordPart } from './part.ts'

/** Source: components/reference, "Component Types" and "Button Styles". */
const ACTION_ROW = 1
const BUTTON = 2
const STYLES = { primary: 1, secondary: 2, danger: 4 } as const

/** Lays out actions as rows of buttons, and drops actions beyond Discord's limit. */
export function buttonRows(actions: readonly ChatAction[] = []): DiscordPart['buttons'] {
  const { buttonRows: rows, buttonsInRow, buttonLabel } = DISCORD_LIMITS
  const buttons = shownActions(actions, { buttons: rows * buttonsInRow, label: buttonLabel }).map(({ id, label, emphasis }) => ({
    type: BUTTON,
    style: STYLES[emphasis ?? 'secondary'],
    label,
    custom_id: id,
  }))
  return Array.from({ length: Math.ceil(buttons.length / buttonsInRow) }, (_, row) => ({
    type: ACTION_ROW,
    components: buttons.slice(row * buttonsInRow, (row + 1) * buttonsInRow),
  }))
}
