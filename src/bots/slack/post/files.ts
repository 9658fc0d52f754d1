import { createHash } from 'node:crypto'
import { withTimeLimit } from '../../../base/with-time-limit.ts'
import { ChatError } from '../../../chat/error.ts'
import type { PostedMessage } from '../../../chat/platform.ts'
import { callOptional, type SlackClientOptions } from '../client.ts'
import { readResponse, uploadSchema } from '../response.ts'
import type { SlackConversation } from './conversation.ts'

export interface FileToShare {
  /** The file's name with its extension, as people see it. */
  readonly name: string
  readonly content: Uint8Array
  /** The text above the file, escaped. */
  readonly comment?: string
  readonly altText?: string
}

/**
 * Uploads a file into a room, in Slack's three steps (docs.slack.dev/messaging/working-with-files). Slack stores no metadata with
 * a file, so the file's name contains the marker. Slack does not tell which message shows a file, so the function returns the
 * file's id.
 * @throws ChatError, `forbidden` if the app may not upload
 */
export async function shareFile(
  client: SlackClientOptions,
  room: SlackConversation,
  file: FileToShare,
  marker: string,
  signal: AbortSignal,
): Promise<PostedMessage> {
  const filename = markedName(file.name, marker)
  const announced = await callOptional(client, signal, slack =>
    slack.files.getUploadURLExternal({
      filename,
      length: file.content.byteLength,
      // Slack's API calls the field `alt_txt`, although Slack's types give it another name.
      ...(file.altText === undefined ? {} : { alt_txt: file.altText }),
    }),
  )
  const { upload_url: address, file_id: id } = readResponse(uploadSchema, announced)
  await send(client, address, file.content, signal)
  const destination =
    room.thread === undefined ? { channel_id: room.channel } : { channel_id: room.channel, thread_ts: room.thread }
  await callOptional(client, signal, slack =>
    slack.files.completeUploadExternal({
      ...destination,
      files: [{ id, title: file.name }],
      ...(file.comment === undefined ? {} : { initial_comment: file.comment }),
    }),
  )
  return { id }
}

export function isFileId(id: string): boolean {
  return id.startsWith('F')
}

/** Removes a file. Does nothing if the file is missing (`file_not_found`, `file_deleted`). */
export async function removeFile(client: SlackClientOptions, id: string, signal: AbortSignal): Promise<void> {
  await callOptional(client, signal, slack => slack.files.delete({ file: id })).catch((error: unknown) => {
    if (!(error instanceof ChatError) || error.kind !== 'rejected') throw error
  })
}

async function send(client: SlackClientOptions, address: string, content: Uint8Array, signal: AbortSignal): Promise<void> {
  const inTime = withTimeLimit(signal, client.timeoutMs)
  const status = await fetch(address, { method: 'POST', body: Buffer.from(content), signal: inTime, redirect: 'error' }).then(
    async response => {
      await response.body?.cancel()
      return response.status
    },
    (cause: unknown) => {
      if (signal.aborted) throw new ChatError('The upload to Slack was cancelled.', { kind: 'cancelled', cause })
      throw new ChatError('Slack could not be reached for an upload.', { kind: 'unavailable', cause })
    },
  )
  if (status >= 200 && status < 300) return
  const kind = status >= 500 || status === 408 || status === 429 ? 'unavailable' : 'rejected'
  throw new ChatError(`Slack answered an upload with HTTP status ${status}.`, { kind })
}

/** Adds a marker to a file's name: `answer.md` with the marker `run_1-2` becomes `answer-run_1-2.md`. */
function markedName(name: string, marker: string): string {
  const [, stem = name, extension = ''] = /^(.*?)(\.[A-Za-z0-9]+)?$/.exec(name) ?? []
  return `${stem}-${nameOf(marker)}${extension}`
}

export function isMarkedName(name: string, marker: string): boolean {
  return name.replace(/\.[A-Za-z0-9]+$/, '').endsWith(`-${nameOf(marker)}`)
}

/**
 * Turns a marker into a part of a file's name. A short marker such as `run_1-2` stays readable, because it may be public. Any
 * other marker becomes a digest.
 */
function nameOf(marker: string): string {
  return /^[\w-]{1,25}$/.test(marker) ? marker : createHash('sha256').update(marker).digest('hex').slice(0, 12)
}
