import type { ChatPress } from './event.ts'
import type { PrivateReply } from './reply.ts'

/**
 * Handles a press. It must be idempotent, because it runs again after a crash and two people may press at once.
 * @returns a private reply; undefined if the effect is visible by itself
 */
export type PressHandler = (press: ChatPress, signal: AbortSignal) => Promise<PrivateReply | undefined>
