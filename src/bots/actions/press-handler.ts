import type { ChatPress } from '../chat-event.ts'
import type { PrivateReply } from '../reply.ts'

/**
 * Does what a press asks for. It is called again for the same press after a crash, and two people may press at once: it must come to one effect.
 * @returns what the person alone is shown; undefined where the effect is seen by itself
 */
export type PressHandler = (press: ChatPress, signal: AbortSignal) => Promise<PrivateReply | undefined>
