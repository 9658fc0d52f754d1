import { describe, expect, it } from '@jest/globals'
import { z } from 'zod'
import { strictFlaw } from '../../../test/emulators/model/endpoint-rules.ts'
import { readStrictAnswer } from './strict-answer.ts'
import { strictJsonSchema } from './strict-json-schema.ts'

const chart = z.discriminatedUnion('type', [
  z.object({ type: z.literal('bar'), x: z.string(), stacked: z.boolean().optional() }),
  z.object({ type: z.literal('none') }),
])
const schema = z.object({
  intent: z.enum(['data_analysis', 'catalog']).describe('What is asked for.'),
  reply: z.string().max(200).optional(),
  limit: z.int().min(1).default(10),
  questions: z
    .array(z.object({ question: z.string().min(1), source: z.string().optional() }))
    .min(1)
    .max(6),
  table: z.string().nullable(),
  either: z.union([z.string(), z.object({ name: z.string().optional(), id: z.number() })]).optional(),
  chart: chart.optional(),
})

describe('strictJsonSchema', () => {
  it('has the form that strict endpoints accept', () => {
    expect(strictFlaw(strictJsonSchema(schema), '')).toBeUndefined()
  })

  it('requires all properties, makes optional ones nullable, and describes limits in words', () => {
    const strict = strictJsonSchema(z.object({ a: z.string().max(5).describe('A word.').optional(), b: z.string().nullable() }))
    expect(strict).toEqual({
      type: 'object',
      properties: {
        a: { anyOf: [{ type: 'string', description: 'A word. (maxLength: 5)' }, { type: 'null' }] },
        b: { type: ['string', 'null'] },
      },
      required: ['a', 'b'],
      additionalProperties: false,
    })
  })

  it('accepts a recursive schema', () => {
    const node = z.object({
      name: z.string(),
      get children() {
        return z.array(node)
      },
    })
    expect(strictFlaw(strictJsonSchema(z.object({ root: node })), '')).toBeUndefined()
  })

  it.each([
    ['a record', z.object({ a: z.record(z.string(), z.string()) })],
    ['a loose object', z.looseObject({ a: z.string() })],
    ['a tuple', z.object({ a: z.tuple([z.string(), z.number()]) })],
    ['anything', z.object({ a: z.unknown() })],
    ['a list of anything', z.object({ a: z.array(z.any()) })],
    ['an intersection', z.object({ a: z.intersection(z.string(), z.enum(['b', 'c'])) })],
    ['a root that is no object', z.array(z.string())],
    ['a root that is a union', chart],
  ])('refuses %s', (_, unfit) => {
    expect(() => strictJsonSchema(unfit)).toThrow(TypeError)
  })
})

describe('readStrictAnswer', () => {
  const base = { intent: 'catalog', questions: [{ question: 'q' }], table: null } as const

  it('reads null as absent where the schema forbids it, and keeps it elsewhere', () => {
    const answer = {
      ...base,
      reply: null,
      limit: null,
      questions: [{ question: 'q', source: null }],
      either: { name: null, id: 1 },
      chart: { type: 'bar', x: 'metro', stacked: null },
    }
    const result = readStrictAnswer(schema, answer)
    expect(result.data).toEqual({ ...base, limit: 10, either: { id: 1 }, chart: { type: 'bar', x: 'metro' } })
    expect(answer.reply).toBeNull()
  })

  it('still refuses a null for a required value', () => {
    expect(readStrictAnswer(schema, { ...base, intent: null }).success).toBe(false)
    expect(readStrictAnswer(schema, { ...base, questions: [null] }).success).toBe(false)
    expect(readStrictAnswer(schema, null).success).toBe(false)
  })
})
