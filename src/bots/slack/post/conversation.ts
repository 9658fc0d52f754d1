/** A place for posts: a thread of a channel, or the channel itself if `thread` is missing. */
export interface SlackConversation {
  readonly channel: string
  readonly thread: string | undefined
}

export function conversationArguments({ channel, thread }: SlackConversation): {
  readonly channel: string
  readonly thread_ts?: string
} {
  return { channel, ...(thread === undefined ? {} : { thread_ts: thread }) }
}
