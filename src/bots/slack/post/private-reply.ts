import { ChatError } from '../../../chat/error.ts'
import type { ChatPress } from '../../../chat/event.ts'
import type { PrivateReply } from '../../../chat/reply.ts'
import { chatWords } from '../../../words/chat.ts'
import { slackWords } from '../../../words/slack.ts'
import { callSlack, type SlackClientOptions } from '../client.ts'
import { sendContent } from '../render/content.ts'
import type { SlackPart } from '../render/part.ts'
import type { SlackConversation } from './conversation.ts'
import type { DirectMessages } from './direct.ts'
import { type FileToShare, shareFile } from './files.ts'
import type { SlackSearch } from './search.ts'

export interface PrivateReplyDeps {
  readonly client: SlackClientOptions
  readonly direct: DirectMessages
  readonly search: SlackSearch
  /** Renders an answer as messages. Text that does not fit goes into files. */
  readonly render: (reply: Omit<PrivateReply, 'files'>) => Promise<readonly SlackPart[]>
}

/**
 * Shows a private reply as ephemeral messages to the person who pressed. If Slack refuses them, shows the reply as direct
 * messages. Files are always sent as direct messages, because ephemeral messages cannot have files.
 * @throws ChatError
 */
export async function postPrivateReply(
  deps: PrivateReplyDeps,
  press: ChatPress,
  reply: PrivateReply,
  signal: AbortSignal,
): Promise<void> {
  const { client, direct } = deps
  const words = chatWords(press.language ?? 'en')
  const attached = (reply.files ?? []).map(({ name, content }) => ({ name, content }))
  const markdown = [reply.markdown, await shareAll(attached)].filter(text => text !== '').join('\n\n')
  for (const part of markdown === '' ? [] : await deps.render({ ...reply, markdown })) {
    const { file } = part
    if (file === undefined) await show(part)
    else if ('text' in file) await say(await shareAll([{ name: file.name, content: Buffer.from(file.text) }]))
  }

  /**
   * Sends the files.
   * @returns Markdown that tells the person where to find them
   */
  async function shareAll(files: readonly FileToShare[]): Promise<string> {
    if (files.length === 0) return ''
    const names = files.map(({ name }) => `\`${name}\``).join(', ')
    try {
      const room = press.place.isDirect ? roomOf(press) : await direct.roomOf(press.user, signal)
      for (const file of files) await shareOnce(room, file)
      return press.place.isDirect ? '' : words.sentFiles(names)
    } catch (error) {
      if (!isRefused(error)) throw error
      client.logger.warn({ cause: error.message }, 'slack refused a file for one person')
      return slackWords(press.language ?? 'en').notSentFiles(names)
    }
  }

  /** Sends a file. If the call is repeated after a failure, the file is not sent a second time. */
  async function shareOnce(room: SlackConversation, file: FileToShare): Promise<void> {
    const marker = `${press.pressId}-${file.name}`
    const there = await deps.search.posts(room, marker, signal)
    if (there.length === 0) await shareFile(client, room, file, marker, signal)
  }

  async function say(text: string): Promise<void> {
    if (text !== '') await show({ text, blocks: [] })
  }

  async function show(part: Pick<SlackPart, 'text' | 'blocks'>): Promise<void> {
    const { channel, thread } = roomOf(press)
    const place = { channel, ...(thread === undefined ? {} : { thread_ts: thread }) }
    await sendContent(part, client.logger, content =>
      callSlack(client, signal, slack => slack.chat.postEphemeral({ ...place, user: press.user, ...content })),
    ).catch(async (error: unknown) => {
      if (!isRefused(error)) throw error
      const room = await direct.roomOf(press.user, signal)
      await sendContent(part, client.logger, content =>
        callSlack(client, signal, slack => slack.chat.postMessage({ channel: room.channel, ...content })),
      )
    })
  }
}

function roomOf({ place }: ChatPress): SlackConversation {
  return { channel: place.channel, thread: place.thread }
}

function isRefused(error: unknown): error is ChatError {
  return error instanceof ChatError && ['forbidden', 'gone', 'rejected'].includes(error.kind)
}
