import type { ChatPress } from './event.ts'
import type { PrivateReply } from './reply.ts'

/**
 * Handles a press. A handler must be idempotent, because it runs again after a crash, and two people may press at once.
 * @returns a private reply; undefined if people see the effect of the press anyway
 */
export type PressHandler = (press: ChatPress, signal: AbortSignal) => Promise<PrivateReply | undefined>
