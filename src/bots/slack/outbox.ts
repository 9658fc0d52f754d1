import type { Logger } from '../../base/logger.ts'
import { inSlices } from '../../base/slices.ts'
import type { LinkHost } from '../../base/text/link-hosts.ts'
import type { Picture } from '../../charts/picture.ts'
import { missingPictureText, pictureText } from '../../charts/picture-text.ts'
import { ChatError } from '../../chat/error.ts'
import type { ChatPlace, ChatPress } from '../../chat/event.ts'
import type { ChatOutbox, ChatStreams, ChatTarget, PersonSettings, PostedMessage, RenderedPart } from '../../chat/platform.ts'
import type { PrivateReply, Reply } from '../../chat/reply.ts'
import { createDrawnPictures, type DrawnPictures, type DrawPicture } from '../shared/drawn-pictures.ts'
import { callSlack, type SlackClientOptions } from './client.ts'
import { SLACK_LIMITS } from './limits.ts'
import { createSlackPersonSettings, type SlackPersonSettings } from './person-settings.ts'
import { conversationArguments, type SlackConversation } from './post/conversation.ts'
import { createDirectMessages, type DirectMessages } from './post/direct.ts'
import { isFileId, removeFile, shareFile } from './post/files.ts'
import { postPrivateReply } from './post/private-reply.ts'
import { createSlackSearch, type SlackSearch } from './post/search.ts'
import { createThreadStatus, type ThreadStatus } from './post/status.ts'
import { createSlackStreams } from './post/streams.ts'
import { sendContent } from './render/content.ts'
import { type SlackFile, type SlackPart, slackPartSchema } from './render/part.ts'
import { plainParts, renderSlackReply } from './render/render.ts'
import { MARKER_EVENT, postedSchema, readResponse } from './response.ts'

export interface SlackOutboxOptions {
  /** The bot token, `xoxb-…`. */
  readonly botToken: string
  readonly apiUrl?: string | undefined
  readonly logger: Logger
  /** Links in answers may lead to these hosts only. Default: none. */
  readonly allowedLinkHosts?: readonly LinkHost[]
  /** Draws the pictures that Slack cannot draw, as PNG. Without this function, these pictures are left out. */
  readonly drawChart?: DrawPicture
  /** The time limit of one Web API call. Default: 10 s. */
  readonly timeoutMs?: number
  /** Unix time in milliseconds. */
  readonly now?: () => number
}

/** Creates the part that sends to Slack. It uses the Web API, and opens no connection for events. */
export function createSlackOutbox(options: SlackOutboxOptions): ChatOutbox {
  return new SlackOutbox(options)
}

class SlackOutbox implements ChatOutbox {
  readonly streams: ChatStreams
  readonly #client: SlackClientOptions
  readonly #options: SlackOutboxOptions
  readonly #search: SlackSearch
  readonly #direct: DirectMessages
  readonly #status: ThreadStatus
  readonly #personOf: SlackPersonSettings
  readonly #drawn: DrawnPictures

  constructor(options: SlackOutboxOptions) {
    const now = options.now ?? Date.now
    this.#options = options
    this.#client = {
      token: options.botToken,
      apiUrl: options.apiUrl,
      timeoutMs: options.timeoutMs ?? 10_000,
      logger: options.logger,
    }
    this.#search = createSlackSearch(this.#client, now)
    this.#direct = createDirectMessages(this.#client, this.#search)
    this.#status = createThreadStatus(this.#client, now)
    this.#personOf = createSlackPersonSettings({ client: this.#client, now })
    this.#drawn = createDrawnPictures(options.drawChart, options.logger)
    this.streams = createSlackStreams({
      client: this.#client,
      isForOne,
      roomOf: (target, signal) => this.#roomOf(target, signal),
      links: { allowedLinkHosts: options.allowedLinkHosts ?? [] },
      now,
    })
  }

  render(reply: Reply): Promise<readonly SlackPart[]> {
    const { allowedLinkHosts = [], drawChart } = this.#options
    return inSlices(renderSlackReply(reply, { allowedLinkHosts, drawsCharts: drawChart !== undefined }))
  }

  async prepare(target: ChatTarget, rendered: RenderedPart, signal: AbortSignal): Promise<void> {
    await this.#drawn(rendered, pictureOf(slackPartSchema.parse(rendered)), target, signal)
  }

  async post(target: ChatTarget, rendered: RenderedPart, marker: string, signal: AbortSignal): Promise<PostedMessage> {
    const part = slackPartSchema.parse(rendered)
    const room = isElsewhere(target) ? await this.#direct.beginThread(target, signal) : roomOf(target)
    if (part.file !== undefined) {
      const drawn = await this.#drawn(rendered, pictureOf(part), target, signal)
      return this.#postFile(room, part, { file: part.file, drawn }, marker, signal)
    }
    const posted = await this.#postMessage(room, part, marker, signal)
    if (part.status !== undefined && isForOne(target)) await this.#status.show(room, part.status, signal)
    return posted
  }

  async edit(target: ChatTarget, posted: PostedMessage, rendered: RenderedPart, signal: AbortSignal): Promise<void> {
    const part = slackPartSchema.parse(rendered)
    const room = await this.#roomOf(target, signal)
    if (room === undefined) throw new ChatError('The private thread is gone.', { kind: 'gone' })
    // The edit contains no metadata, so the message keeps its metadata and thus its marker.
    await sendContent(part, this.#client.logger, content =>
      callSlack(this.#client, signal, slack => slack.chat.update({ channel: room.channel, ts: posted.id, ...content })),
    )
    if (!isForOne(target)) return
    if (part.status === undefined) await this.#status.done(room, signal)
    else await this.#status.show(room, part.status, signal)
  }

  async find(target: ChatTarget, marker: string, signal: AbortSignal): Promise<readonly PostedMessage[]> {
    const room = await this.#roomOf(target, signal)
    return room === undefined ? [] : this.#search.posts(room, marker, signal)
  }

  async remove(target: ChatTarget, posted: PostedMessage, signal: AbortSignal): Promise<void> {
    if (isFileId(posted.id)) return removeFile(this.#client, posted.id, signal)
    const room = await this.#roomOf(target, signal)
    if (room === undefined) return
    try {
      await callSlack(this.#client, signal, slack => slack.chat.delete({ channel: room.channel, ts: posted.id }))
    } catch (error) {
      if (!(error instanceof ChatError) || error.kind !== 'removed') throw error
    }
  }

  personOf(_place: ChatPlace, author: string, signal: AbortSignal): Promise<PersonSettings> {
    return this.#personOf(author, signal)
  }

  async answerPress(press: ChatPress, reply: PrivateReply, signal: AbortSignal): Promise<void> {
    const render = (shown: Omit<PrivateReply, 'files'>) =>
      this.render({ kind: 'answer', ...shown, ...(press.language && { language: press.language }) })
    await postPrivateReply({ client: this.#client, direct: this.#direct, search: this.#search, render }, press, reply, signal)
  }

  /** Finds the channel or thread that gets a reply. Undefined if it does not exist yet. */
  async #roomOf(target: ChatTarget, signal: AbortSignal): Promise<SlackConversation | undefined> {
    return isElsewhere(target) ? this.#direct.findThread(target, signal) : roomOf(target)
  }

  async #postMessage(
    room: SlackConversation,
    part: Pick<SlackPart, 'text' | 'blocks'>,
    marker: string,
    signal: AbortSignal,
  ): Promise<PostedMessage> {
    const answer = await sendContent(part, this.#client.logger, content =>
      callSlack(this.#client, signal, slack =>
        slack.chat.postMessage({
          ...conversationArguments(room),
          ...content,
          unfurl_links: false,
          unfurl_media: false,
          metadata: { event_type: MARKER_EVENT, event_payload: { marker } },
        }),
      ),
    )
    return { id: readResponse(postedSchema, answer).ts }
  }

  /** Uploads a file. If Slack refuses files, posts the file's text as messages. */
  async #postFile(
    room: SlackConversation,
    part: SlackPart,
    { file, drawn }: { readonly file: SlackFile; readonly drawn: Uint8Array | undefined },
    marker: string,
    signal: AbortSignal,
  ): Promise<PostedMessage> {
    const content = 'text' in file ? Buffer.from(file.text) : drawn
    try {
      if (content !== undefined) {
        const comment = 'chart' in file ? { comment: part.text, altText: pictureText(file.chart, SLACK_LIMITS.fileAltText) } : {}
        return await shareFile(this.#client, room, { name: file.name, content, ...comment }, marker, signal)
      }
    } catch (error) {
      if (!(error instanceof ChatError) || !['rejected', 'forbidden'].includes(error.kind)) throw error
      this.#client.logger.warn({ cause: error.message }, 'slack refused a file; sending its text')
    }
    const texts = 'text' in file ? plainParts(file.text) : withoutPicture(part, file.chart)
    const [last = part, ...earlier] = texts.toReversed()
    for (const text of earlier.toReversed()) await this.#postMessage(room, text, `${marker} before its end`, signal)
    // One text may take several messages. Only the last message has the marker, so after a failure all messages are posted again.
    return this.#postMessage(room, last, marker, signal)
  }
}

function pictureOf({ file }: SlackPart): Picture | undefined {
  return file !== undefined && 'chart' in file ? file.chart : undefined
}

function roomOf({ channel, thread }: ChatTarget): SlackConversation {
  return { channel, thread }
}

/**
 * Whether the answer goes to a direct conversation although the question is from a channel. If the question is from a direct
 * conversation, its private answer stays there.
 */
function isElsewhere(target: ChatTarget): boolean {
  return target.isPrivate === true && !target.isDirect
}

function isForOne(target: ChatTarget): boolean {
  return target.isPrivate === true || target.isDirect
}

/**
 * Returns messages in place of a picture that could not be uploaded. For a chart, a note is enough, because the answer has the
 * values as a table. A graph is shown nowhere else, so its content is written as text.
 */
function withoutPicture({ text }: SlackPart, picture: Picture): readonly Pick<SlackPart, 'text' | 'blocks'>[] {
  const missing = missingPictureText(picture)
  if (picture.kind !== 'graph') return [{ text: `${text} ${missing}`, blocks: [] }]
  return plainParts(`${pictureText(picture, SLACK_LIMITS.fileAltText)} ${missing}`)
}
