import { actionId, type ChatAction } from '../chat-action.ts'
import { DISCORD_LIMITS } from './discord-limits.ts'
import type { DiscordPart } from './discord-part.ts'
import { cutText, visibleText } from './discord-text.ts'

/** components/reference, "Component Types" and "Button Styles". */
const ACTION_ROW = 1
const BUTTON = 2
const STYLES = { primary: 1, secondary: 2, danger: 4 } as const

/** Actions as rows of buttons; more than Discord takes are left out. */
export function buttonRows(actions: readonly ChatAction[] = []): DiscordPart['buttons'] {
  const unique = [...new Map(actions.map(action => [actionId(action), action])).entries()]
  const shown = unique.slice(0, DISCORD_LIMITS.buttonRows * DISCORD_LIMITS.buttonsInRow).map(([id, action]) => ({
    type: BUTTON,
    style: STYLES[action.emphasis ?? 'secondary'],
    label: cutText(visibleText(action.label).replace(/\s+/g, ' ').trim() || action.action, DISCORD_LIMITS.buttonLabel),
    custom_id: id,
  }))
  return Array.from({ length: Math.ceil(shown.length / DISCORD_LIMITS.buttonsInRow) }, (_, row) => ({
    type: ACTION_ROW,
    components: shown.slice(row * DISCORD_LIMITS.buttonsInRow, (row + 1) * DISCORD_LIMITS.buttonsInRow),
  }))
}
