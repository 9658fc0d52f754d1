import { once } from 'node:events'
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises'
import type { Exchange, ModelScript, ScriptedCall } from './model-script.ts'

export interface AnswerOptions {
  /** The pieces in which the text is streamed. Default: pieces of seven characters. */
  readonly pieces?: readonly string[]
  /** Holds back the piece with this index until the promise resolves. */
  readonly hold?: { readonly piece: number; readonly until: Promise<void> }
  /** The pause between two pieces. */
  readonly pieceDelayMs?: number
  /** Nothing is sent until this promise resolves. */
  readonly after?: Promise<void>
  readonly finishReason?: string
  /** The token counts. They are sent if the request asks for them. With `never`, they are not sent at all. */
  readonly usage?: { readonly prompt_tokens: number; readonly completion_tokens: number } | 'never'
  /** Splits the stream into chunks of this many bytes. A chunk may then end inside a character or an escape. */
  readonly bytesAtOnce?: number
}

/** Streams a text as the model's answer. An object is sent as JSON. */
export function answer(content: string | object, options: AnswerOptions = {}): ModelScript {
  const text = typeof content === 'string' ? content : JSON.stringify(content)
  return async exchange => {
    await untilGone(exchange, options.after)
    const stream = openStream(exchange, options.bytesAtOnce)
    for (const [index, piece] of (options.pieces ?? text.match(/.{1,7}/gsu) ?? []).entries()) {
      if (options.hold?.piece === index) await untilGone(exchange, options.hold.until)
      await stream.chunk({ content: piece }, null)
      if (options.pieceDelayMs) await pause(exchange, options.pieceDelayMs)
    }
    await stream.chunk({}, options.finishReason ?? 'stop')
    const usage = options.usage ?? { prompt_tokens: 11, completion_tokens: 7 }
    if (usage !== 'never' && exchange.call.body.stream_options?.include_usage)
      await stream.send({ model: exchange.call.body.model, choices: [], usage })
    await stream.done()
  }
}

/** Answers with calls of tools. Their arguments are streamed in pieces. */
export function toolCalls(...calls: readonly { readonly name: string; readonly arguments: object | string }[]): ModelScript {
  return async exchange => {
    const stream = openStream(exchange)
    for (const [index, { name, arguments: given }] of calls.entries()) {
      const text = typeof given === 'string' ? given : JSON.stringify(given)
      const id = `call_${exchange.call.index}_${index}`
      await stream.chunk({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] }, null)
      for (const piece of text.match(/.{1,7}/gsu) ?? [])
        await stream.chunk({ tool_calls: [{ index, function: { arguments: piece } }] }, null)
    }
    await stream.chunk({}, 'tool_calls')
    await stream.done()
  }
}

/** Answers with the model's refusal in these words. */
export function refusal(words: string): ModelScript {
  return async exchange => {
    const stream = openStream(exchange)
    await stream.chunk({ refusal: words }, null)
    await stream.chunk({}, 'stop')
    await stream.done()
  }
}

/** Answers with an HTTP status and an error body. */
export function status(
  code: number,
  options: { readonly headers?: Record<string, string>; readonly error?: object } = {},
): ModelScript {
  return async ({ response }) => {
    response.writeHead(code, { 'content-type': 'application/json', ...options.headers })
    response.end(JSON.stringify({ error: options.error ?? { message: `status ${code}` } }))
  }
}

/** Answers with a whole page instead of a stream. */
export function page(body: string, contentType: string): ModelScript {
  return async ({ response }) => {
    response.writeHead(200, { 'content-type': contentType }).end(body)
  }
}

/** Streams a text and then an error event. The HTTP status is still 200. */
export function errorEvent(text: string, error: object): ModelScript {
  return async exchange => {
    const stream = openStream(exchange)
    if (text !== '') await stream.chunk({ content: text }, null)
    await stream.send({ error })
    await stream.done()
  }
}

/** Streams a text and then breaks the connection. */
export function cut(text: string): ModelScript {
  return async exchange => {
    const stream = openStream(exchange)
    await stream.chunk({ content: text }, null)
    exchange.response.destroy()
  }
}

/** Streams a text and ends the response properly, but without a finish reason or [DONE]. */
export function brokenOff(text: string): ModelScript {
  return async exchange => {
    const stream = openStream(exchange)
    await stream.chunk({ content: text }, null)
    exchange.response.end()
  }
}

/** Streams a text, and then sends nothing until the client disconnects. */
export function stall(text: string): ModelScript {
  return async exchange => {
    const stream = openStream(exchange)
    await stream.chunk({ content: text }, null)
    await untilGone(exchange, new Promise(() => {}))
  }
}

/** Sends nothing at all, not even headers, until the client disconnects. */
export function hang(): ModelScript {
  return exchange => untilGone(exchange, new Promise(() => {}))
}

/** Sends keep-alive comments for a while, and then runs the script `then`. */
export function comments(count: number, delayMs: number, then: ModelScript): ModelScript {
  return async exchange => {
    const stream = openStream(exchange)
    for (let sent = 0; sent < count; sent += 1) {
      await stream.raw(': still working\n\n')
      await pause(exchange, delayMs)
    }
    await then(exchange)
  }
}

/** Writes these raw lines of an event stream, and then ends the response. */
export function lines(...each: readonly string[]): ModelScript {
  return async exchange => {
    const stream = openStream(exchange)
    for (const line of each) await stream.raw(`${line}\n\n`)
    exchange.response.end()
  }
}

/** Answers each request with the next script, for any step. After the last script, repeats it. */
export function inTurn(...scripts: readonly [ModelScript, ...ModelScript[]]): (call: ScriptedCall) => ModelScript {
  let next = 0
  return () => {
    const script = scripts[Math.min(next, scripts.length - 1)] ?? scripts[0]
    next += 1
    return script
  }
}

function openStream({ call, response, gone }: Exchange, bytesAtOnce = Number.POSITIVE_INFINITY) {
  if (!response.headersSent) response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.flushHeaders()
  response.socket?.setNoDelay(true)
  const raw = async (text: string) => {
    const bytes = Buffer.from(text)
    for (let start = 0; start < bytes.length && !gone.aborted; start += bytesAtOnce) {
      const part = bytes.subarray(start, Math.min(bytes.length, start + bytesAtOnce))
      await new Promise<void>(resolve => response.write(part, () => resolve()))
      if (Number.isFinite(bytesAtOnce)) await nextTurn()
    }
  }
  const send = (event: object) => raw(`data: ${JSON.stringify(event)}\n\n`)
  const chunk = (delta: object, finishReason: string | null) =>
    send({
      id: 'c1',
      object: 'chat.completion.chunk',
      model: call.body.model,
      choices: [{ index: 0, delta, finish_reason: finishReason }],
    })
  const done = async () => {
    await raw('data: [DONE]\n\n')
    response.end()
  }
  return { raw, send, chunk, done }
}

async function pause({ gone }: Exchange, delayMs: number): Promise<void> {
  await wait(delayMs, undefined, { signal: gone }).catch(() => {})
}

async function untilGone({ gone }: Exchange, promise: Promise<void> | undefined): Promise<void> {
  if (promise === undefined || gone.aborted) return
  const settled = new AbortController()
  await Promise.race([promise, once(gone, 'abort', { signal: settled.signal }).catch(() => {})])
  settled.abort()
}
