import type { ActionName } from '../../chat/action.ts'
import type { PressHandler } from '../../chat/press-handler.ts'

export type PressHandlers = Readonly<Record<ActionName, PressHandler>>

export function answerPress(handlers: PressHandlers): PressHandler {
  return (press, signal) => handlers[press.pressed.action](press, signal)
}
