import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { sendAnswer } from './answering.ts'
import { chatBodySchema, promptParts } from './chat-body.ts'
import { chunksOf } from './chunks.ts'
import type { Clock } from './clock.ts'
import { marksOf } from './marks.ts'
import { MODEL_PRESETS, type PresetName } from './presets.ts'
import { createPromptCache } from './prompt-cache.ts'
import { replyTo } from './reply.ts'
import type { LoggedRequest } from './request-log.ts'
import { tokensOf } from './tokens.ts'

export interface ModelServer {
  /** The address of the model's endpoint. It ends in /v1. */
  readonly baseUrl: string
  close(): Promise<void>
}

/**
 * Starts a model with scripted answers, at a model's pace. Besides `/v1/chat/completions` it has `GET /bench/log` (LoggedRequest[]) and `POST
 * /bench/reset?preset=NAME`. The latter clears log and cache, and sets the preset.
 */
export async function startModelServer(options: { readonly clock: Clock; readonly preset: PresetName }): Promise<ModelServer> {
  const { clock } = options
  const cache = createPromptCache()
  let preset = options.preset
  let log: LoggedRequest[] = []

  async function complete(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const startedAt = clock.now()
    const body = chatBodySchema.parse(JSON.parse(await textOf(request)))
    const clewStep = headerOf(request, 'x-clew-step')
    const step = clewStep ?? headerOf(request, 'x-bench-step')
    const { asked, reply, part } = replyTo({ body, step, isClew: clewStep !== undefined })
    const prompt = promptParts(body).flatMap(part => tokensOf(part))
    const cachedTokens = cache.cachedTokens(prompt)
    const chunks = chunksOf(log.length, body, reply, { promptTokens: prompt.length, cachedTokens })
    const pieces = chunks.tokens.map(({ text }) => text)
    const index = log.length
    const own = log
    own.push({
      id: index,
      step: step ?? 'loop',
      peer: headerOf(request, 'x-bench-peer') ?? 'clew',
      scenario: asked.scenario.id,
      n: asked.n,
      part,
      promptTokens: prompt.length,
      cachedTokens,
      completionTokens: chunks.tokens.length,
      marks: reply.kind === 'text' ? marksOf(reply.text, pieces) : {},
      startedAt,
      firstTokenAt: null,
      endedAt: null,
      sentTokens: 0,
    })
    const isStreamed = body.stream === true
    response.socket?.setNoDelay(true)
    response.writeHead(200, { 'content-type': isStreamed ? 'text/event-stream' : 'application/json' })
    const cancel = sendAnswer(response, {
      clock,
      preset: MODEL_PRESETS[preset],
      chunks,
      isStreamed,
      uncachedTokens: prompt.length - cachedTokens,
      startedAt,
      onProgress: (sentTokens, at) => {
        const entry = own[index]
        if (entry === undefined) return
        if (entry.firstTokenAt === null) cache.keep(prompt)
        const isOver = sentTokens === entry.completionTokens
        own[index] = { ...entry, sentTokens, firstTokenAt: entry.firstTokenAt ?? at, endedAt: isOver ? at : null }
      },
    })
    response.on('close', cancel)
    response.on('error', cancel)
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1')
    if (request.method === 'POST' && url.pathname === '/v1/chat/completions') return complete(request, response)
    if (request.method === 'GET' && url.pathname === '/bench/log') return void response.end(JSON.stringify(log))
    if (request.method === 'POST' && url.pathname === '/bench/reset') {
      const name = url.searchParams.get('preset') ?? preset
      if (!isPreset(name)) throw new Error(`there is no preset ${name}`)
      preset = name
      log = []
      cache.clear()
      return void response.end('{}')
    }
    response.writeHead(404).end()
  }

  const server = createServer((request, response) => {
    request.on('error', () => {})
    serve(request, response).catch((error: unknown) => {
      const message = error instanceof Error ? error.message : String(error)
      if (!response.headersSent) response.writeHead(400, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ error: { message, type: 'invalid_request_error' } }))
    })
  })
  server.keepAliveTimeout = 60_000
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    async close() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

async function textOf(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece)
  return Buffer.concat(pieces).toString()
}

function headerOf(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}

function isPreset(name: string): name is PresetName {
  return name in MODEL_PRESETS
}
