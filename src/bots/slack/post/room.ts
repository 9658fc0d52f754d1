/** A thread, or the conversation itself. */
export interface SlackRoom {
  readonly channel: string
  readonly thread: string | undefined
}

export function roomArguments({ channel, thread }: SlackRoom): { readonly channel: string; readonly thread_ts?: string } {
  return { channel, ...(thread === undefined ? {} : { thread_ts: thread }) }
}
