import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { type EndpointRules, GENEROUS_RULES, judgeBody, type Refusal } from './endpoint-rules.ts'
import type { ModelScript, ScriptedCall } from './model-script.ts'

export interface ScriptedModelOptions {
  /** Returns the script that answers a valid request. It is called once for each request, in order of arrival. */
  readonly onRequest: (call: ScriptedCall) => ModelScript
  readonly rules?: Partial<EndpointRules>
}

/** A model endpoint on this machine that answers as a test prescribes. It refuses requests that real endpoints refuse. */
export interface ScriptedModel {
  /** The address of the endpoint. It ends in /v1. */
  readonly baseUrl: string
  /** All answered requests, in order of arrival. */
  readonly calls: readonly ScriptedCall[]
  /** The reasons for all refused requests. */
  readonly refused: readonly Refusal[]
  callsOf(step: string): readonly ScriptedCall[]
  /** Resolves with the answered request number `index` of a step, counted from 0. The request may have arrived already. */
  arrival(step: string, index: number): Promise<ScriptedCall>
  close(): Promise<void>
}

/** Starts a scripted model on a free port of 127.0.0.1. `close` breaks requests that are still open. */
export async function startScriptedModel(options: ScriptedModelOptions): Promise<ScriptedModel> {
  const rules = { ...GENEROUS_RULES, ...options.rules }
  const calls: ScriptedCall[] = []
  const refused: Refusal[] = []
  const waiting: { step: string; index: number; resolve: (call: ScriptedCall) => void }[] = []
  const callsOf = (step: string) => calls.filter(call => call.step === step)

  const server = createServer(async (request, response) => {
    request.on('error', () => {})
    const pieces: Buffer[] = []
    for await (const piece of request) pieces.push(piece)
    if (request.method !== 'POST' || request.url !== '/v1/chat/completions') {
      sendRefusal(
        response,
        { status: 404, param: null, code: null, message: `Invalid URL (${request.method} ${request.url})` },
        rules,
      )
      return
    }
    const step = String(request.headers['x-clew-step'] ?? '')
    const verdict =
      rules.apiKey !== '' && request.headers.authorization !== `Bearer ${rules.apiKey}`
        ? {
            status: 401,
            param: null,
            code: 'invalid_api_key',
            message: `Incorrect API key provided: ${request.headers.authorization}`,
          }
        : judgeBody(JSON.parse(Buffer.concat(pieces).toString()), rules)
    if ('status' in verdict) {
      refused.push(verdict)
      sendRefusal(response, verdict, rules)
      return
    }
    const left = once(response, 'close').then(() => !response.writableFinished)
    const call = { step, index: callsOf(step).length, headers: request.headers, body: verdict, arrivedAt: Date.now(), left }
    calls.push(call)
    const script = options.onRequest(call)
    for (const waiter of waiting) {
      if (waiter.step === step && waiter.index === call.index) waiter.resolve(call)
    }
    const gone = new AbortController()
    response.on('close', () => gone.abort())
    response.on('error', () => gone.abort())
    await script({ call, response, gone: gone.signal })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0

  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    calls,
    refused,
    callsOf,
    arrival: (step, index) => {
      const arrived = callsOf(step)[index]
      if (arrived !== undefined) return Promise.resolve(arrived)
      return new Promise(resolve => waiting.push({ step, index, resolve }))
    },
    close: async () => {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

function sendRefusal(response: ServerResponse, refusal: Refusal, rules: EndpointRules): void {
  const { status, param, code, message } = refusal
  const bodies = {
    openai: { error: { message, type: 'invalid_request_error', param, code } },
    detail: {
      detail: [
        code === 'invalid_value'
          ? {
              type: 'less_than_equal',
              loc: ['body', param],
              msg: `Input should be less than or equal to ${rules.maxOutputTokens}`,
            }
          : { type: 'extra_forbidden', loc: ['body', param], msg: 'Extra inputs are not permitted' },
      ],
    },
    terse: { error: 'Bad Request' },
  }
  const sent = rules.wording === 'detail' && status === 400 ? 422 : status
  response.writeHead(sent, { 'content-type': 'application/json' }).end(JSON.stringify(bodies[rules.wording]))
}
