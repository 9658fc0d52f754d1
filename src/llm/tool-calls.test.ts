import { afterEach, describe, expect, it } from '@jest/globals'
import type { EndpointRules } from '../../test/emulators/model/endpoint-rules.ts'
import type { ModelScript } from '../../test/emulators/model/model-script.ts'
import * as scripts from '../../test/emulators/model/model-scripts.ts'
import { type ScriptedModel, startScriptedModel } from '../../test/emulators/model/scripted-model.ts'
import { createLogger } from '../base/logger.ts'
import { completeText } from './complete-text.ts'
import { toolCallsInText } from './endpoint/tool-calls-in-text.ts'
import type { ModelCompletion, ModelRequest } from './language-model.ts'
import { OpenAILanguageModel } from './openai-language-model.ts'

const TOOLS: ModelRequest['tools'] = [
  {
    name: 'get_schema',
    description: 'Columns of a table.',
    parameters: { type: 'object', properties: { table: { type: 'string' } } },
  },
]
const FIRST: ModelRequest = {
  step: 'respond',
  messages: [
    { role: 'system', content: 'Investigate.' },
    { role: 'user', content: 'Why?' },
  ],
  tools: TOOLS,
}
const CALLED: ModelRequest = {
  ...FIRST,
  messages: [
    ...FIRST.messages,
    { role: 'assistant', content: '', toolCalls: [{ id: 'a', name: 'get_schema', arguments: '{"table":"t"}' }] },
    { role: 'tool', callId: 'a', content: '{"columns":[]}' },
  ],
}

let endpoint: ScriptedModel | undefined
afterEach(() => endpoint?.close())

async function complete(
  script: ModelScript,
  request: ModelRequest,
  rules: Partial<EndpointRules> = {},
): Promise<ModelCompletion> {
  endpoint = await startScriptedModel({ onRequest: () => script, rules })
  const model = new OpenAILanguageModel({
    apiKey: 'sk-test',
    baseUrl: endpoint.baseUrl,
    model: 'm',
    idleTimeoutMs: 5_000,
    totalTimeoutMs: 10_000,
    logger: createLogger({ level: 'silent' }),
    random: () => 0,
    now: Date.now,
  })
  return completeText(model, request, new AbortController().signal)
}

describe('tool calls', () => {
  it('are assembled from pieces, several at a time', async () => {
    const { text, toolCalls } = await complete(
      scripts.toolCalls({ name: 'get_schema', arguments: { table: 'a' } }, { name: 'get_schema', arguments: { table: 'b “é”' } }),
      FIRST,
    )
    expect(text).toBe('')
    expect(toolCalls).toEqual([
      { id: 'call_0_0', name: 'get_schema', arguments: '{"table":"a"}' },
      { id: 'call_0_1', name: 'get_schema', arguments: '{"table":"b “é”"}' },
    ])
    expect(endpoint?.calls[0]?.body).toMatchObject({ tool_choice: 'auto', tools: [{ function: { name: 'get_schema' } }] })
  })

  it('are returned with their results, and may be forbidden', async () => {
    const { text, toolCalls } = await complete(scripts.answer('Because.'), { ...CALLED, toolChoice: 'none' })
    expect({ text, toolCalls }).toEqual({ text: 'Because.', toolCalls: [] })
    expect(endpoint?.calls[0]?.body).toMatchObject({
      tool_choice: 'none',
      messages: [
        {},
        {},
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'a', function: { name: 'get_schema', arguments: '{"table":"t"}' } }],
        },
        { role: 'tool', tool_call_id: 'a', content: '{"columns":[]}' },
      ],
    })
  })

  it('are text for an endpoint without tools', async () => {
    const said = 'First the columns. {"tool_calls": [{"name": "get_schema", "arguments": {"table": "t"}}]}'
    const { text, toolCalls } = await complete(scripts.answer(said), CALLED, { tools: false })
    expect({ text, toolCalls }).toEqual({
      text: 'First the columns.',
      toolCalls: [{ id: 'call_1', name: 'get_schema', arguments: '{"table":"t"}' }],
    })
    const messages = endpoint?.calls[0]?.body.messages ?? []
    expect(messages[0]?.content).toContain('- get_schema: Columns of a table.')
    expect(messages.slice(2)).toEqual([
      { role: 'assistant', content: '{"tool_calls":[{"id":"a","name":"get_schema","arguments":"{\\"table\\":\\"t\\"}"}]}' },
      { role: 'user', content: 'Result of a:\n{"columns":[]}' },
    ])
  })

  it('without an index, whole in each chunk, are separate calls', async () => {
    const chunk = (id: string) =>
      `data: {"choices":[{"delta":{"tool_calls":[{"id":"${id}","function":{"name":"get_schema","arguments":"{}"}}]},"finish_reason":null}]}`
    const { toolCalls } = await complete(scripts.lines(chunk('x'), chunk('y'), 'data: [DONE]'), FIRST)
    expect(toolCalls?.map(({ id }) => id)).toEqual(['x', 'y'])
  })
})

describe('tool calls in a text', () => {
  const names = new Set(['get_schema', 'query_table'])
  const call = { name: 'get_schema', arguments: '{"table":"t"}' }

  it.each([
    ['an object', '{"name": "get_schema", "arguments": {"table": "t"}}'],
    ['arguments as text', '{"name": "get_schema", "arguments": "{\\"table\\":\\"t\\"}"}'],
    ['another name for them', '{"tool": "get_schema", "parameters": {"table": "t"}}'],
    ['the native form', '{"tool_calls": [{"function": {"name": "get_schema", "arguments": "{\\"table\\":\\"t\\"}"}}]}'],
    ['tags', '<tool_call>\n{"name": "get_schema", "arguments": {"table": "t"}}\n</tool_call>'],
    ['a code fence', '```json\n[{"name": "get_schema", "arguments": {"table": "t"}}]\n```'],
  ])('are found as %s', (_, text) => {
    expect(toolCallsInText(text, names).toolCalls).toMatchObject([call])
  })

  it.each(['The row has {"name": "Anna"}.', '{"name": "drop_table", "arguments": {}}', 'No JSON here.', '[1, 2]'])(
    'are absent in %s',
    text => {
      expect(toolCallsInText(text, names)).toEqual({ text, toolCalls: [] })
    },
  )

  it('are found in groups, with the text before them', () => {
    const text = 'I look.\n{"name": "get_schema", "arguments": {}}\n{"name": "query_table", "arguments": {"sql": "SELECT 1"}}'
    expect(toolCallsInText(text, names)).toMatchObject({
      text: 'I look.',
      toolCalls: [{ name: 'get_schema' }, { name: 'query_table', arguments: '{"sql":"SELECT 1"}' }],
    })
  })
})
