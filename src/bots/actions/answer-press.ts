import type { ActionName } from '../chat-action.ts'
import type { PressHandler } from './press-handler.ts'

/** What a press of each button does. */
export type PressHandlers = Readonly<Record<ActionName, PressHandler>>

/** The handler of every press: hands it to the one of its button. */
export function answerPress(handlers: PressHandlers): PressHandler {
  return (press, signal) => handlers[press.pressed.action](press, signal)
}
