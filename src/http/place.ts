import type { ChatPlace } from '../chat/event.ts'

/** The name of HTTP among the platforms of messages. No chat platform has it. */
export const HTTP_PLATFORM = 'http'

/** Returns the place of a token's thread. Threads of different tokens never meet. */
export function placeOf(tokenId: string, thread: string): ChatPlace {
  return { platform: HTTP_PLATFORM, workspace: tokenId, channel: tokenId, thread, isDirect: true }
}
