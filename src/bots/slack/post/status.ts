import { ChatError } from '../../../chat/error.ts'
import { callSlack, type SlackClientOptions } from '../client.ts'
import { SLACK_LIMITS } from '../limits.ts'
import type { SlackConversation } from './conversation.ts'

/** Shows "Clew is thinking…" below a direct conversation. No method throws, because Clew also works without the status. */
export interface ThreadStatus {
  /** @param status words that follow the app's name, such as `is thinking…` */
  show(room: SlackConversation, status: string, signal: AbortSignal): Promise<void>
  done(room: SlackConversation, signal: AbortSignal): Promise<void>
}

export function createThreadStatus(options: SlackClientOptions, now: () => number): ThreadStatus {
  const client = { ...options, timeoutMs: Math.min(options.timeoutMs, SLACK_LIMITS.statusCallMs) }
  /** The status of each thread, and the time when it was set. */
  const shown = new Map<string, { readonly status: string; readonly at: number }>()
  let isRefused = false

  async function set({ channel, thread }: SlackConversation, status: string, signal: AbortSignal): Promise<void> {
    if (thread === undefined || isRefused) return
    try {
      const call = { channel_id: channel, thread_ts: thread, status }
      await callSlack(client, signal, slack => slack.assistant.threads.setStatus(call))
    } catch (error) {
      // A refusal means that this app or workspace has no status, so no further call is made.
      isRefused = error instanceof ChatError && ['forbidden', 'rejected', 'authentication'].includes(error.kind)
      const cause = error instanceof Error ? error.message : String(error)
      client.logger.debug({ channel, cause }, 'slack did not take a status')
    }
  }

  return {
    async show(room, status, signal) {
      const key = `${room.channel} ${room.thread}`
      const before = shown.get(key)
      if (before?.status === status && now() - before.at < SLACK_LIMITS.statusRefreshMs) return
      if (shown.size >= SLACK_LIMITS.cachedStatuses) shown.clear()
      shown.set(key, { status, at: now() })
      await set(room, status, signal)
    },
    async done(room, signal) {
      // Always removes the status, because another process may have set it.
      shown.delete(`${room.channel} ${room.thread}`)
      await set(room, '', signal)
    },
  }
}
