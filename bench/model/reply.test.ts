import { expect, test } from '@jest/globals'
import { asked, askedIn } from './asked.ts'
import { chatBodySchema } from './chat-body.ts'
import { marksOf } from './marks.ts'
import { type Reply, replyTo } from './reply.ts'
import { piecesOf } from './tokens.ts'

const { scenario } = asked('complex', 14_711)
const say = (step: string | undefined, content: string, more: object = {}): Reply => {
  const body = chatBodySchema.parse({ model: 'any', messages: [{ role: 'user', content }], ...more })
  return replyTo({ body, step, isClew: false }).reply
}
const tool = (name: string, ...properties: readonly string[]) => ({
  type: 'function',
  function: { name, parameters: { type: 'object', properties: Object.fromEntries(properties.map(each => [each, {}])) } },
})

test('the last question and its number are found in every prompt', () => {
  const prompt = `${asked('simple', 1000).scenario.question}\n${scenario.question}\nand so on`
  expect(askedIn(prompt)).toEqual({ scenario, n: 14_711 })
  expect(askedIn('What is the weather?')).toBeUndefined()
})

test('a data question gets its own SQL, any other the first', () => {
  for (const { question, sql } of scenario.dataQuestions) {
    expect(say('generate', `${scenario.question}\n${question}`)).toMatchObject({
      text: expect.stringContaining(JSON.stringify(sql)),
    })
  }
  expect(say('generate', scenario.question)).toMatchObject({ text: expect.stringContaining('dz_devices') })
})

test('a structured answer has the fields of the schema, as text or as the required tool call', () => {
  const schema = { type: 'json_schema', json_schema: { name: 'x', schema: { type: 'object', properties: { explanation: {} } } } }
  const expected = JSON.stringify({ explanation: scenario.dataQuestions[0]?.explanation })
  expect(say('generate', scenario.question, { response_format: schema })).toEqual({ kind: 'text', text: expected })
  const forced = {
    tools: [tool('other', 'a'), tool('draft', 'explanation')],
    tool_choice: { type: 'function', function: { name: 'draft' } },
  }
  expect(say('generate', scenario.question, forced)).toEqual({ kind: 'tools', calls: [{ name: 'draft', arguments: expected }] })
})

test('a loop calls its tool once per data question, then gives the same answer without workings and formulas', () => {
  const tools = [tool('list_tables'), tool('run_query', 'query')]
  const first = say(undefined, scenario.question, { tools })
  expect(first.kind === 'tools' ? first.calls.map(call => JSON.parse(call.arguments)) : []).toEqual(
    scenario.dataQuestions.map(({ sql }) => ({ query: sql })),
  )
  const last = say(undefined, scenario.question, {
    tools,
    messages: [
      { role: 'user', content: scenario.question },
      { role: 'tool', content: '[]' },
    ],
  })
  expect(last).toEqual({ kind: 'text', text: expect.stringMatching(/^The network is mostly in service: 37 devices and [^{]*$/) })
})

test('reports the token at which each part of an answer is complete', () => {
  const plan = say('decompose', scenario.question)
  const text = plan.kind === 'text' ? plan.text : ''
  const pieces = piecesOf(text)
  const marks = marksOf(text, pieces)
  const upTo = pieces.slice(0, marks['element 2']).join('')
  expect(Object.keys(marks)).toEqual(['element 1', 'element 2', 'element 3', 'element 4'])
  expect(upTo.match(/"rationale":"[^"]*"\}/g)).toHaveLength(2)
  expect(pieces.join('')).toBe(text)
})
