import type { ActionName } from '../chat-action.ts'
import type { PressHandler } from './press-handler.ts'

/** The handler of each button. */
export type PressHandlers = Readonly<Record<ActionName, PressHandler>>

/** Passes a press to its button's handler. */
export function answerPress(handlers: PressHandlers): PressHandler {
  return (press, signal) => handlers[press.pressed.action](press, signal)
}
