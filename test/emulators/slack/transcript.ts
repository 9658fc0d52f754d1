import { plainText } from './rendered-message.ts'
import type { Block, MessageVersion, SlackFile, SlackMessage } from './slack-model.ts'
import type { Workspace } from './workspace.ts'

/** A message as one person sees it now, with its earlier states. Later changes do not affect this copy. */
export interface ShownMessage {
  readonly channel: string
  readonly ts: string
  readonly threadTs: string | undefined
  readonly user: string
  readonly isFromBot: boolean
  readonly isEphemeral: boolean
  readonly text: string
  readonly blocks: readonly Block[]
  /** The visible text of the message. */
  readonly plain: string
  readonly files: readonly SlackFile[]
  readonly metadata: SlackMessage['metadata']
  readonly subtype: string | undefined
  /**
   * All states of the message since it was posted. The last one is the current state. `at` is the time of the state, in milliseconds since the
   * emulator started.
   */
  readonly history: readonly MessageVersion[]
  readonly reactions: readonly string[]
  readonly isStreaming: boolean
  readonly linkNames: boolean
  readonly unfurlLinks: boolean | undefined
  readonly unfurlMedia: boolean | undefined
}

/**
 * Returns the messages in a channel that this person sees now, in order. Without a person, returns those that everyone sees. With a
 * thread, returns the thread's first message and its replies.
 */
export function transcriptOf(
  workspace: Workspace,
  channel: string,
  { as, thread }: { readonly as?: string | undefined; readonly thread?: string | undefined },
): readonly ShownMessage[] {
  return workspace
    .messages(channel)
    .filter(message => thread === undefined || message.ts === thread || message.threadTs === thread)
    .filter(message => message.deletedAt === undefined)
    .filter(message => message.visibleTo === undefined || message.visibleTo === as)
    .map(shownMessage)
}

function shownMessage(message: SlackMessage): ShownMessage {
  return {
    channel: message.channel,
    ts: message.ts,
    threadTs: message.threadTs,
    user: message.user,
    isFromBot: message.botId !== undefined,
    isEphemeral: message.visibleTo !== undefined,
    text: message.text,
    blocks: message.blocks,
    plain: plainText(message),
    files: [...message.files],
    metadata: message.metadata,
    subtype: message.subtype,
    history: [...message.versions],
    reactions: message.reactions.map(reaction => reaction.name),
    isStreaming: message.stream !== undefined,
    linkNames: message.linkNames,
    unfurlLinks: message.unfurlLinks,
    unfurlMedia: message.unfurlMedia,
  }
}

/** Describes all channels of the workspace, for the error of a wait that failed. */
export function describeWorkspace(workspace: Workspace): string {
  const channels = [...workspace.channels.values()].filter(channel => workspace.messages(channel.id).length > 0)
  if (channels.length === 0) return '(no messages)'
  return channels
    .map(channel => {
      const messages = workspace.messages(channel.id).map(message => {
        const author = workspace.users.get(message.user)?.name ?? message.user
        const notes = [
          message.threadTs === undefined ? '' : `thread ${message.threadTs}`,
          message.visibleTo === undefined ? '' : `only for ${message.visibleTo}`,
          message.versions.length > 1 ? `${message.versions.length - 1} edits` : '',
          message.deletedAt === undefined ? '' : 'deleted',
          ...message.files.map(file => `file ${file.name}`),
        ].filter(note => note !== '')
        const suffix = notes.length === 0 ? '' : ` (${notes.join(', ')})`
        return `  ${message.ts} ${author}${suffix}: ${plainText(message).replaceAll('\n', '\n    ')}`
      })
      return [`#${channel.name} (${channel.id})`, ...messages].join('\n')
    })
    .join('\n')
}
