import type { IncomingMessage } from 'node:http'
import { ApiRefusal } from './api-refusal.ts'
import { DISCORD_LIMITS } from './discord-limits.ts'
import { isObject } from './json.ts'

/** One uploaded file, which the request contains as `files[n]`. */
export interface UploadedFile {
  /** The number `n` of this file. The field `attachments` refers to the file by it. */
  readonly index: string
  readonly filename: string
  readonly contentType: string | undefined
  readonly content: Buffer
}

export interface ApiBody {
  /** The JSON of the request. Undefined if there is none. A list for a request with many commands. */
  readonly json: unknown
  readonly files: readonly UploadedFile[]
}

/**
 * Reads JSON or a form. Source: reference, "Uploading Files". @throws ApiRefusal for another content type, invalid JSON, or more than 25 MiB
 */
export async function readApiBody(request: IncomingMessage): Promise<ApiBody> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request) {
    const bytes = Buffer.from(chunk)
    size += bytes.length
    if (size <= DISCORD_LIMITS.requestBytes) chunks.push(bytes)
  }
  if (size > DISCORD_LIMITS.requestBytes) throw new ApiRefusal('entityTooLarge')
  if (size === 0) return { json: undefined, files: [] }

  const contentType = request.headers['content-type'] ?? ''
  const bytes = Buffer.concat(chunks)
  if (contentType.startsWith('application/json')) return { json: parseJson(bytes.toString()), files: [] }
  if (contentType.startsWith('multipart/form-data')) return readForm(bytes, contentType)
  const error = `Expected "Content-Type" header to be one of {'application/json', 'multipart/form-data'}.`
  throw new ApiRefusal('invalidForm', { _errors: [{ code: 'CONTENT_TYPE_INVALID', message: error }] })
}

async function readForm(bytes: Buffer, contentType: string): Promise<ApiBody> {
  const form = await new Response(bytes, { headers: { 'content-type': contentType } }).formData().catch(() => {
    throw new ApiRefusal('invalidForm')
  })
  const files: UploadedFile[] = []
  const fields: { [key: string]: unknown } = {}
  for (const [name, value] of form) {
    const index = /^files\[(\d+)\]$/.exec(name)?.[1]
    if (typeof value === 'string') {
      fields[name] = value
    } else if (index !== undefined) {
      const content = Buffer.from(await value.arrayBuffer())
      files.push({ index, filename: value.name, contentType: value.type === '' ? undefined : value.type, content })
    }
  }
  const { payload_json: payload, ...others } = fields
  const json = typeof payload === 'string' ? parseJson(payload) : {}
  return { json: isObject(json) ? { ...others, ...json } : json, files }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new ApiRefusal('invalidJson')
  }
}
