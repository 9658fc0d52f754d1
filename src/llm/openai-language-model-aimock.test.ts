import { LLMock } from '@copilotkit/aimock'
import { describe, expect, it } from '@jest/globals'
import { z } from 'zod'
import { createLogger } from '../base/logger.ts'
import { AnswerBudget } from './answer-budget.ts'
import { completeStructured } from './json/structured-output.ts'
import { collect, describeLanguageModel } from './language-model.contract.ts'
import { OpenAILanguageModel } from './openai-language-model.ts'

function modelOf(mock: LLMock): OpenAILanguageModel {
  return new OpenAILanguageModel({
    apiKey: 'sk-test-0123456789abcdef',
    baseUrl: `${mock.url}/v1`,
    model: 'gpt-4o',
    idleTimeoutMs: 5000,
    totalTimeoutMs: 10_000,
    logger: createLogger({ level: 'silent' }),
    retry: { maxAttempts: 2, baseDelayMs: 1, maxDelayMs: 1, maxRetryAfterMs: 1000 },
    random: () => 0.5,
    now: Date.now,
  })
}

async function withMock(use: (mock: LLMock) => Promise<void>): Promise<void> {
  const mock = new LLMock({ port: 0, logLevel: 'silent' })
  await mock.start()
  try {
    await use(mock)
  } finally {
    await mock.stop()
  }
}

describeLanguageModel('OpenAILanguageModel over aimock', async answers => {
  const mock = new LLMock({ port: 0, logLevel: 'silent', chunkSize: 4, latency: 1 })
  mock.onMessage('hello', { content: answers.respond })
  mock.onMessage('which intent', { content: answers.classify })
  await mock.start()
  return { model: modelOf(mock), close: () => mock.stop() }
})

describe('OpenAILanguageModel over aimock', () => {
  const { signal } = new AbortController()
  const request = { step: 'classify', messages: [{ role: 'user', content: 'which intent?' }] } as const

  it('reads a structured answer and its usage', async () => {
    await withMock(async mock => {
      mock.onMessage('which intent', {
        content: '{"intent":"catalog","reply":null}',
        usage: { prompt_tokens: 40, completion_tokens: 9 },
      })
      const schema = z.object({ intent: z.enum(['catalog', 'data_analysis']), reply: z.string().optional() })
      const budget = new AnswerBudget()
      const { value } = await completeStructured(modelOf(mock), { ...request, budget }, schema, signal)
      expect(value).toEqual({ intent: 'catalog' })
      expect(budget.spending).toMatchObject({ inputTokens: 40, outputTokens: 9, estimated: false })
      expect(mock.getLastRequest()?.headers['x-clew-step']).toBe('classify')
    })
  })

  it('tries again after an error', async () => {
    await withMock(async mock => {
      mock.onMessage('which intent', { content: 'catalog' })
      mock.nextRequestError(503, { message: 'overloaded' })
      const events = await collect(modelOf(mock).stream(request, signal))
      expect(events.at(-1)).toMatchObject({ kind: 'completed', completion: { text: 'catalog' } })
      expect(mock.getRequests()).toHaveLength(2)
    })
  })
})
