import type { IncomingMessage } from 'node:http'
import { z } from 'zod'
import { type ApiMethods, apiMethod, jsonValue, requireMembership, slackTimestamp, wholeNumber } from '../api-method.ts'
import { ApiRefusal } from '../api-refusal.ts'
import { readBody } from '../request-body.ts'
import { SLACK_LIMITS } from '../slack-limits.ts'
import type { SlackFile } from '../slack-model.ts'
import type { Workspace } from '../workspace.ts'
import { botAuthor, threadOf } from './chat.ts'

interface Upload {
  readonly id: string
  readonly name: string
  readonly length: number
  readonly altText: string | undefined
  content: Buffer | undefined
}

const filesSchema = z.array(z.object({ id: z.string(), title: z.string().optional() })).min(1)

/** Uploads that the app has announced, but not yet shared in a channel. */
export class FileUploads {
  readonly #workspace: Workspace
  readonly #uploads = new Map<string, Upload>()

  constructor(workspace: Workspace) {
    this.#workspace = workspace
  }

  announce(name: string, length: number, altText: string | undefined): string {
    const id = this.#workspace.newId('F')
    this.#uploads.set(id, { id, name, length, altText, content: undefined })
    return id
  }

  /**
   * Receives content that was posted to an upload address, as plain bytes or as a form. @returns false if the address is unknown or the length wrong
   */
  async receive(id: string, request: IncomingMessage): Promise<boolean> {
    const upload = this.#uploads.get(id)
    const body = await readBody(request)
    if (upload === undefined) return false
    const content = await fileContent(request.headers['content-type'] ?? '', body)
    if (content.length !== upload.length) return false
    upload.content = content
    return true
  }

  /** Returns an uploaded file, with its title and its owner. @throws ApiRefusal `file_not_found` */
  complete(id: string, title: string | undefined, owner: string): SlackFile {
    const upload = this.#uploads.get(id)
    if (upload?.content === undefined) throw new ApiRefusal('file_not_found')
    this.#uploads.delete(id)
    const file = { id, name: upload.name, title: title ?? upload.name, owner, altText: upload.altText, content: upload.content }
    this.#workspace.files.set(id, file)
    return file
  }
}

/**
 * Uploads in three steps: docs.slack.dev/messaging/working-with-files, "Uploading files". The answer does not contain the message's ts.
 */
export function createFileMethods(uploads: FileUploads): ApiMethods {
  return {
    'files.getUploadURLExternal': apiMethod({
      scopes: ['files:write'],
      rate: 4,
      args: z.object({ filename: z.string().min(1), length: wholeNumber.min(0), alt_txt: z.string().optional() }),
      run: (args, context) => {
        if (args.length === 0) throw new ApiRefusal('missing_argument')
        if ((args.alt_txt?.length ?? 0) > SLACK_LIMITS.fileAltText) throw new ApiRefusal('alt_txt_too_large')
        const id = uploads.announce(args.filename, args.length, args.alt_txt)
        return { upload_url: `${context.origin}/upload/${id}`, file_id: id }
      },
    }),

    'files.completeUploadExternal': apiMethod({
      scopes: ['files:write'],
      rate: 4,
      args: z.object({
        files: jsonValue,
        channel_id: z.string().optional(),
        thread_ts: slackTimestamp.optional(),
        initial_comment: z.string().optional(),
      }),
      run: (args, context) => {
        const requested = filesSchema.safeParse(args.files)
        if (!requested.success) throw new ApiRefusal('invalid_arguments')
        // A post may use a person's id as its channel. A file needs the id of a conversation.
        if (args.channel_id !== undefined && !context.workspace.channels.has(args.channel_id)) {
          throw new ApiRefusal('channel_not_found')
        }
        const channel = args.channel_id === undefined ? undefined : requireMembership(context, args.channel_id)
        if (channel?.isArchived === true) throw new ApiRefusal('posting_to_channel_denied')
        const files = requested.data.map(file => uploads.complete(file.id, file.title, context.app.botUserId))
        if (channel !== undefined) {
          context.workspace.post(channel.id, {
            ...botAuthor(context),
            text: args.initial_comment ?? '',
            threadTs: threadOf(context, channel, args.thread_ts),
            files,
            subtype: 'file_share',
          })
        }
        return { files: files.map(file => ({ id: file.id, title: file.title })) }
      },
    }),

    'files.delete': apiMethod({
      scopes: ['files:write'],
      rate: 3,
      args: z.object({ file: z.string() }),
      run: (args, context) => {
        const file = context.workspace.files.get(args.file)
        if (file === undefined) throw new ApiRefusal('file_not_found')
        if (file.owner !== context.app.botUserId) throw new ApiRefusal('cant_delete_file')
        context.workspace.removeFile(file)
        return {}
      },
    }),
  }
}

async function fileContent(contentType: string, body: Buffer): Promise<Buffer> {
  if (!contentType.startsWith('multipart/form-data')) return body
  const form = await new Response(new Uint8Array(body), { headers: { 'content-type': contentType } }).formData()
  const parts = await Promise.all(
    [...form.values()].map(async part => (typeof part === 'string' ? Buffer.from(part) : Buffer.from(await part.arrayBuffer()))),
  )
  return Buffer.concat(parts)
}
