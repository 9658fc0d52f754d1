import type { DiscordEmulator } from './discord-emulator.ts'
import { isObject, type JsonObject } from './json.ts'

export interface RestAnswer {
  readonly status: number
  readonly headers: Headers
  /** The parsed JSON of the answer. Undefined for an answer without JSON. */
  readonly body: unknown
}

export interface RestOptions {
  readonly body?: unknown
  readonly files?: readonly { readonly name: string; readonly content: Buffer }[]
  /** The token for the request. Default: the bot's token. Null sends no token. */
  readonly token?: string | null
  readonly headers?: Readonly<Record<string, string>>
}

/** Sends requests to the API without the waits, retries and checks of a real client. */
export class RestClient {
  readonly #discord: DiscordEmulator

  constructor(discord: DiscordEmulator) {
    this.#discord = discord
  }

  async request(method: string, path: string, options: RestOptions = {}): Promise<RestAnswer> {
    const { token = this.#discord.botToken, files, body } = options
    const response = await fetch(`${this.#discord.apiUrl}/v10${path}`, {
      method,
      headers: {
        'user-agent': 'DiscordBot (https://example.com, 1)',
        ...(token === null ? {} : { authorization: `Bot ${token}` }),
        ...(files === undefined && body !== undefined ? { 'content-type': 'application/json' } : {}),
        ...options.headers,
      },
      ...(body === undefined && files === undefined
        ? {}
        : { body: files === undefined ? JSON.stringify(body) : form(body, files) }),
    })
    const text = await response.text()
    const isJson = response.headers.get('content-type') === 'application/json'
    return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : undefined }
  }

  /** Posts a message and returns it. @throws Error if it is refused */
  async post(channelId: string, body: JsonObject, files?: RestOptions['files']): Promise<JsonObject & { readonly id: string }> {
    const answer = await this.request('POST', `/channels/${channelId}/messages`, {
      body,
      ...(files === undefined ? {} : { files }),
    })
    if (answer.status !== 200 || !isObject(answer.body)) throw new Error(JSON.stringify(answer.body))
    return { ...answer.body, id: String(answer.body.id) }
  }
}

function form(body: unknown, files: NonNullable<RestOptions['files']>): FormData {
  const data = new FormData()
  if (body !== undefined) data.append('payload_json', JSON.stringify(body))
  for (const [index, file] of files.entries()) data.append(`files[${index}]`, new Blob([new Uint8Array(file.content)]), file.name)
  return data
}
