import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, it } from '@jest/globals'
import { createLogger } from '../../src/base/logger.ts'
import { completeText } from '../../src/llm/complete-text.ts'
import { OpenAILanguageModel } from '../../src/llm/openai-language-model.ts'
import { growthOfTwice } from './growth.ts'

/** The maximum growth if the size doubles. Linear work grows by 2, and a busy machine adds to this. */
const MOST_GROWTH = 3
const READ_BYTES = 16 * 1024

const eventOf = (content: string, more: object = {}) =>
  `data: ${JSON.stringify({ object: 'chat.completion.chunk', model: 'm', choices: [{ index: 0, delta: { content } }], ...more })}\n\n`

/** Streams of a model with a certain size. Each read is a separate turn of the event loop. */
const STREAMS: readonly { readonly name: string; readonly size: number; readonly reads: (size: number) => readonly string[] }[] =
  [
    {
      name: 'one character an event',
      size: 8_000,
      reads: size =>
        eventOf('a')
          .repeat(size)
          .match(new RegExp(`.{1,${READ_BYTES}}`, 'gs')) ?? [],
    },
    {
      name: 'one large event, in many reads',
      // Twice this is nearly the maximum length of an event.
      size: 240_000,
      reads: size => eventOf('a', { padding: 'b'.repeat(size) }).match(new RegExp(`.{1,${READ_BYTES}}`, 'gs')) ?? [],
    },
  ]

async function answerOf(reads: readonly string[]): Promise<string> {
  const encoder = new TextEncoder()
  const pieces = [...reads, 'data: [DONE]\n\n'].values()
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      await nextTurn()
      const { value, done } = pieces.next()
      if (done) controller.close()
      else controller.enqueue(encoder.encode(value))
    },
  })
  const model = new OpenAILanguageModel({
    apiKey: 'none',
    model: 'm',
    fetch: async () => new Response(body, { headers: { 'content-type': 'text/event-stream' } }),
    idleTimeoutMs: 60_000,
    totalTimeoutMs: 60_000,
    random: () => 0,
    now: () => 0,
    logger: createLogger({ level: 'silent' }),
  })
  return (await completeText(model, { step: 'respond', messages: [] }, new AbortController().signal)).text
}

describe("the stream of a model's answer", () => {
  it.each(STREAMS)('takes time in proportion to its bytes: $name', async ({ reads, size }) => {
    expect(await answerOf(reads(2))).toMatch(/^aa?$/)
    const streams = new Map([size, 2 * size].map(each => [each, reads(each)]))
    expect(await growthOfTwice(each => answerOf(streams.get(each) ?? []), size)).toBeLessThan(MOST_GROWTH)
  })
})
