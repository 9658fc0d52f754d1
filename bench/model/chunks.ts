import type { ChatBody } from './chat-body.ts'
import type { Reply } from './reply.ts'
import { piecesOf } from './tokens.ts'

/** One token of an answer: its text, and the event that carries it in a stream. */
export interface TokenEvent {
  readonly text: string
  readonly event: string
}

/** An answer that is ready to be sent, as a whole or token by token. */
export interface Chunks {
  readonly tokens: readonly TokenEvent[]
  /** The end of the stream: the reason for finishing, the token counts if requested, and the final event. */
  readonly tail: string
  /** The same answer as a single response, for a request without streaming. */
  readonly whole: string
}

interface Usage {
  readonly prompt_tokens: number
  readonly completion_tokens: number
  readonly total_tokens: number
  readonly prompt_tokens_details: { readonly cached_tokens: number }
}

/** Writes an answer in the form of OpenAI's endpoint, with one event per token. */
export function chunksOf(
  id: number,
  body: ChatBody,
  reply: Reply,
  counts: { readonly promptTokens: number; readonly cachedTokens: number },
): Chunks {
  const own = { id: `chatcmpl-${id}`, created: 0, model: body.model }
  const event = (rest: object) => `data: ${JSON.stringify({ ...own, object: 'chat.completion.chunk', ...rest })}\n\n`
  const delta = (content: object, finish: string | null = null) =>
    event({ choices: [{ index: 0, delta: content, finish_reason: finish }] })
  const finish = reply.kind === 'text' ? 'stop' : 'tool_calls'
  const tokens = reply.kind === 'text' ? textTokens(reply.text, delta) : callTokens(id, reply.calls, delta)
  const usage: Usage = {
    prompt_tokens: counts.promptTokens,
    completion_tokens: tokens.length,
    total_tokens: counts.promptTokens + tokens.length,
    prompt_tokens_details: { cached_tokens: counts.cachedTokens },
  }
  const told = body.stream_options?.include_usage === true ? event({ choices: [], usage }) : ''
  const message =
    reply.kind === 'text'
      ? { role: 'assistant', content: reply.text, refusal: null }
      : {
          role: 'assistant',
          content: null,
          refusal: null,
          tool_calls: reply.calls.map((call, index) => toolCall(id, index, call)),
        }
  return {
    tokens,
    tail: `${delta({}, finish)}${told}data: [DONE]\n\n`,
    whole: JSON.stringify({
      ...own,
      object: 'chat.completion',
      choices: [{ index: 0, message, finish_reason: finish, logprobs: null }],
      usage,
    }),
  }
}

type Delta = (content: object, finish?: string | null) => string

function textTokens(text: string, delta: Delta): readonly TokenEvent[] {
  return piecesOf(text).map((piece, index) => ({
    text: piece,
    event: delta(index === 0 ? { role: 'assistant', content: piece } : { content: piece }),
  }))
}

/** Returns the tokens of a tool call. The first token contains the tool's name, and the others contain the arguments. */
function callTokens(
  id: number,
  calls: readonly { readonly name: string; readonly arguments: string }[],
  delta: Delta,
): readonly TokenEvent[] {
  return calls.flatMap((call, index) => {
    const opened = { index, ...toolCall(id, index, { ...call, arguments: '' }) }
    return [
      { text: '', event: delta({ ...(index === 0 ? { role: 'assistant', content: null } : {}), tool_calls: [opened] }) },
      ...piecesOf(call.arguments).map(piece => ({
        text: piece,
        event: delta({ tool_calls: [{ index, function: { arguments: piece } }] }),
      })),
    ]
  })
}

function toolCall(id: number, index: number, { name, arguments: given }: { readonly name: string; readonly arguments: string }) {
  return { id: `call_${id}_${index}`, type: 'function', function: { name, arguments: given } }
}
