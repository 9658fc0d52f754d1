import type { ActionsBlock } from '@slack/types'
import type { ChatAction } from '../../../chat/action.ts'
import { shownActions } from '../../shared/shown-actions.ts'
import { SLACK_LIMITS } from '../limits.ts'

/** Lays out actions as one block of buttons, and drops actions beyond Slack's limit. Empty if there are no actions. */
export function buttonBlocks(actions: readonly ChatAction[] = []): readonly ActionsBlock[] {
  const shown = shownActions(actions, { buttons: SLACK_LIMITS.buttons, label: SLACK_LIMITS.buttonLabel })
  if (shown.length === 0) return []
  const elements = shown.map(({ id, label, emphasis }) => ({
    type: 'button' as const,
    action_id: id,
    text: { type: 'plain_text' as const, text: label, emoji: false },
    ...(emphasis === undefined ? {} : { style: emphasis }),
  }))
  return [{ type: 'actions', elements }]
}
