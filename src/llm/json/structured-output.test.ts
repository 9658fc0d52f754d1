import { afterEach, describe, expect, it } from '@jest/globals'
import { z } from 'zod'
import { createGate } from '../../../test/emulators/gate.ts'
import type { EndpointRules } from '../../../test/emulators/model/endpoint-rules.ts'
import type { ModelScript, ScriptedCall } from '../../../test/emulators/model/model-script.ts'
import * as scripts from '../../../test/emulators/model/model-scripts.ts'
import { type ScriptedModel, startScriptedModel } from '../../../test/emulators/model/scripted-model.ts'
import { fenced } from '../../../test/support/scripted-analyst.ts'
import { createLogger } from '../../base/logger.ts'
import { AnswerBudget } from '../answer-budget.ts'
import { completeText } from '../complete-text.ts'
import { collect } from '../language-model.contract.ts'
import type { LanguageModel } from '../language-model.ts'
import { OpenAILanguageModel } from '../openai-language-model.ts'
import { completeStructured, type StructuredEvent, streamStructured } from './structured-output.ts'

const element = z.object({ question: z.string().min(1), source: z.string().optional() })
const schema = z.object({ data_questions: z.array(element).max(6), error: z.string().optional() })
type Event = StructuredEvent<z.infer<typeof schema>, z.infer<typeof element>>
const output = { schema, elements: { property: 'data_questions', schema: element } }
const request = { step: 'decompose', messages: [{ role: 'user', content: 'Split this up.' }] } as const
const whole = { data_questions: [{ question: 'How many {links}?' }, { question: 'Which "metros" ]?' }] }
const wrong = { data_questions: [{ question: 'How many {links}?' }, { question: '' }] }
const { signal } = new AbortController()

const endpoints: ScriptedModel[] = []
afterEach(async () => {
  for (const endpoint of endpoints.splice(0)) await endpoint.close()
})

async function serve(onRequest: (call: ScriptedCall) => ModelScript, rules?: Partial<EndpointRules>) {
  const endpoint = await startScriptedModel({ onRequest, rules })
  endpoints.push(endpoint)
  const model: LanguageModel = new OpenAILanguageModel({
    apiKey: 'sk-test-0123456789abcdef',
    baseUrl: endpoint.baseUrl,
    model: 'm-large',
    idleTimeoutMs: 5000,
    totalTimeoutMs: 10_000,
    logger: createLogger({ level: 'silent' }),
    retry: { maxAttempts: 2, baseDelayMs: 1, maxDelayMs: 1, maxRetryAfterMs: 1000 },
    random: () => 0.5,
    now: Date.now,
  })
  return { endpoint, model }
}

/** Returns the elements that count: those after the last restart. */
function elementsOf(events: readonly Event[]): unknown[] {
  const last = events.findLastIndex(event => event.kind === 'restarted')
  return events.slice(last + 1).flatMap(event => (event.kind === 'element' ? [event.element] : []))
}

describe('completeStructured', () => {
  const forms: readonly [string, string, Partial<EndpointRules>][] = [
    ['JSON', JSON.stringify(whole), {}],
    ['JSON with null for the optional', JSON.stringify({ ...whole, error: null }), {}],
    ['JSON mode', JSON.stringify(whole), { jsonSchema: false }],
    ['a fence', `\`\`\`json\n${JSON.stringify(whole, null, 2)}\n\`\`\``, { jsonObject: false }],
    ['prose', `Sure! Here you are:\n\n${JSON.stringify(whole)}\n\nAnything else?`, { jsonObject: false }],
    ['a thought before it', `<think>{"data_questions": "many"}</think>${JSON.stringify(whole)}`, { jsonObject: false }],
  ]
  it.each(forms)('reads the value from %s', async (_, text, rules) => {
    const { model, endpoint } = await serve(() => scripts.answer(text), rules)
    const { value, completion } = await completeStructured(model, request, schema, signal)
    expect(value).toEqual(whole)
    expect(completion.text).toBe(text)
    expect(endpoint.calls).toHaveLength(1)
  })

  it('returns a wrong answer once with its problems, and sums the tokens', async () => {
    const { model, endpoint } = await serve(scripts.inTurn(scripts.answer(wrong), scripts.answer(whole)))
    const budget = new AnswerBudget()
    const { value } = await completeStructured(model, { ...request, budget }, schema, signal)
    expect(value).toEqual(whole)
    expect(budget.spending).toMatchObject({ inputTokens: 22, outputTokens: 14, estimated: false })
    const messages = endpoint.calls[1]?.body.messages ?? []
    expect(messages.map(message => message.role)).toEqual(['user'])
    expect(messages[0]?.content).toMatch(/^Split this up\.\n/)
    expect(fenced(messages[0]?.content ?? '', 'earlier answer')).toBe(JSON.stringify(wrong))
    expect(fenced(messages[0]?.content ?? '', 'problems')).toMatch(/^- data_questions\.1\.question: Too small/)
    expect(endpoint.calls.map(call => call.step)).toEqual(['decompose', 'decompose'])
  })

  it.each([
    ['the wrong form', JSON.stringify(wrong)],
    ['no JSON', 'I would rather not.'],
    ['JSON that is cut off although the model says it is done', JSON.stringify(whole).slice(0, -4)],
  ])('fails after two answers of %s', async (_, text) => {
    const { model, endpoint } = await serve(() => scripts.answer(text))
    await expect(completeStructured(model, request, schema, signal)).rejects.toMatchObject({
      kind: 'invalid_output',
      retryable: false,
    })
    expect(endpoint.calls).toHaveLength(2)
  })

  it("passes on the model's errors", async () => {
    const { model } = await serve(() => scripts.refusal('No.'))
    await expect(completeStructured(model, request, schema, signal)).rejects.toMatchObject({ kind: 'refused' })
  })
})

describe('streamStructured', () => {
  it.each([
    ['JSON', ''],
    ['a fence', 'Sure:\n```json\n'],
  ])('yields an element when its object closes, long before the answer ends: %s', async (_, before) => {
    const gate = createGate()
    const [head, tail] = splitAfter(before + JSON.stringify(whole), '{links}?"}')
    const { model } = await serve(() => async exchange => {
      const { response } = exchange
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(`data: ${JSON.stringify({ choices: [{ delta: { content: head } }] })}\n\n`)
      await gate.opened
      response.end(
        `data: ${JSON.stringify({ choices: [{ delta: { content: tail }, finish_reason: 'stop' }] })}\n\ndata: [DONE]\n\n`,
      )
    })
    const events: Event[] = []
    for await (const event of streamStructured(model, request, output, signal)) {
      events.push(event)
      // The scripted model waits with the rest of its answer until the first element has arrived here.
      if (event.kind === 'element' && event.index === 0) gate.open()
    }
    expect(events.map(event => event.kind)).toEqual(['element', 'element', 'completed'])
    expect(elementsOf(events)).toEqual(whole.data_questions)
  })

  it('is the same however the bytes are split', async () => {
    const { model } = await serve(() =>
      scripts.answer(whole, { bytesAtOnce: 17, pieces: JSON.stringify(whole).match(/.{1,2}/g) ?? [] }),
    )
    const events = await collect(streamStructured(model, request, output, signal))
    expect(elementsOf(events)).toEqual(whole.data_questions)
    expect(events.at(-1)).toMatchObject({ kind: 'completed', value: whole })
  })

  it.each([
    ['the connection was cut', scripts.cut('{"data_questions":[{"question":"old"},{"question"')],
    ['the answer was cut off', scripts.answer('{"data_questions":[{"question":"old"},{"ques', { finishReason: 'length' })],
    ['the answer was wrong', scripts.answer({ data_questions: [{ question: 'old' }, { question: '' }, { question: 'later' }] })],
    ['the answer ended in nothing', scripts.answer('{"data_questions":[{"question":"old"}], oops')],
  ])('voids its elements when %s', async (_, broken) => {
    const { model } = await serve(scripts.inTurn(broken, scripts.answer(whole)))
    const events = await collect(streamStructured(model, request, output, signal))
    expect(events[0]).toEqual({ kind: 'element', index: 0, element: { question: 'old' } })
    expect(events[1]).toEqual({ kind: 'restarted' })
    expect(events.filter(event => event.kind === 'restarted')).toHaveLength(1)
    expect(elementsOf(events)).toEqual(whole.data_questions)
  })

  it('voids elements that were only part of a thought', async () => {
    const draft = JSON.stringify({ data_questions: [{ question: 'draft' }], extra: 1 }).slice(0, -1)
    const { model } = await serve(() => scripts.answer(`<think>${draft}, so}</think>${JSON.stringify(whole)}`), {
      jsonObject: false,
    })
    const events = await collect(streamStructured(model, request, output, signal))
    expect(elementsOf(events)).toEqual(whole.data_questions)
    expect(events.map(event => event.kind)).toEqual(['element', 'restarted', 'element', 'element', 'completed'])
  })

  it('voids its elements before it fails', async () => {
    const { model } = await serve(() => scripts.answer(wrong))
    const events: Event[] = []
    const run = async () => {
      for await (const event of streamStructured(model, request, output, signal)) events.push(event)
    }
    await expect(run()).rejects.toMatchObject({ kind: 'invalid_output' })
    expect(elementsOf(events)).toEqual([])
  })

  it('closes the connection when the caller leaves', async () => {
    const { model, endpoint } = await serve(() => scripts.stall('{"data_questions":[{"question":"one"},'))
    for await (const event of streamStructured(model, request, output, signal)) {
      expect(event).toEqual({ kind: 'element', index: 0, element: { question: 'one' } })
      break
    }
    expect(await endpoint.calls[0]?.left).toBe(true)
  })
})

describe('completeText', () => {
  it('returns the whole text, and reports a restart', async () => {
    const { model } = await serve(scripts.inTurn(scripts.cut('There are el'), scripts.answer('There are twelve.')))
    let heard = ''
    let restarts = 0
    const listener = {
      onText: (text: string) => {
        heard += text
      },
      onRestart: () => {
        heard = ''
        restarts += 1
      },
    }
    const completion = await completeText(model, { step: 'respond', messages: request.messages }, signal, listener)
    expect(completion.text).toBe('There are twelve.')
    expect([heard, restarts]).toEqual(['There are twelve.', 1])
  })
})

function splitAfter(text: string, mark: string): [string, string] {
  const at = text.indexOf(mark) + mark.length
  return [text.slice(0, at), text.slice(at)]
}
