/** Where something is posted: a thread, or the conversation itself. */
export interface SlackRoom {
  readonly channel: string
  readonly thread: string | undefined
}

/** A room as the arguments of a post. */
export function roomArguments({ channel, thread }: SlackRoom): { readonly channel: string; readonly thread_ts?: string } {
  return { channel, ...(thread === undefined ? {} : { thread_ts: thread }) }
}
