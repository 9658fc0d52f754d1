import { describe, expect, it } from '@jest/globals'
import { z } from 'zod'
import { propertyPath, readShape, requestMistakes } from './shape-mistakes.ts'

const schema = z.strictObject({
  name: z.string().min(1),
  kind: z.enum(['a', 'b', 'c']).optional(),
  tags: z.array(z.string()).min(2).max(3).optional(),
  size: z.int().min(0).max(9).optional(),
  day: z.iso.date().optional(),
  words: z.union([z.string(), z.array(z.string())]).optional(),
  own: z.string('must be as I say').optional(),
  parts: z.record(z.string(), z.object({ name: z.string() })).optional(),
})

describe("mistakes in a person's file", () => {
  it.each([
    [undefined, 'the file is missing'],
    [7, 'the file must be keys with values'],
    [{}, 'name is missing'],
    [{ name: '' }, 'name must not be empty'],
    [{ name: 1 }, 'name must be a text'],
    [{ name: null }, 'name must be a text'],
    [{ name: 'x', nmae: 'y' }, 'nmae is not a known key'],
    [{ name: 'x', kind: 'd' }, 'kind must be a, b or c'],
    [{ name: 'x', parts: 'a' }, 'parts must be keys with values'],
    [{ name: 'x', tags: ['a'] }, 'tags must have 2 entries or more'],
    [{ name: 'x', tags: ['a', 'b', 'c', 'd'] }, 'tags must have at most 3 entries'],
    [{ name: 'x', tags: ['a', 1] }, 'tags[1] must be a text'],
    [{ name: 'x', size: -1 }, 'size must be 0 or more'],
    [{ name: 'x', size: 10 }, 'size must be at most 9'],
    [{ name: 'x', size: 1.5 }, 'size must be a whole number'],
    [{ name: 'x', day: 'soon' }, 'day must be a day, such as 2026-01-31'],
    [{ name: 'x', words: 1 }, 'words must be a text or a list'],
    [{ name: 'x', own: 1 }, 'own must be as I say'],
    [{ name: 'x', parts: { one: {} } }, 'parts.one.name is missing'],
  ])('%j: %s', (written, sentence) => {
    const read = readShape(schema, written)
    expect(read.ok ? [] : read.mistakes.map(mistake => `${propertyPath(mistake.path)} ${mistake.sentence}`)).toEqual([sentence])
  })

  it('of a request are in the same words, except those of a union', () => {
    const either = z.union([z.strictObject({ text: z.string().min(1) }), z.strictObject({ at: z.int().min(0) })], 'either or')
    const said = (given: unknown) => requestMistakes(either.safeParse(given).error ?? new z.ZodError([]), given)
    expect(said({ text: '', x: 1 })).toEqual([
      { path: 'text', message: 'must not be empty' },
      { path: 'x', message: 'is not a known key' },
    ])
    expect(said({ at: -1 })).toEqual([{ path: 'at', message: 'must be 0 or more' }])
    expect(said(null)).toEqual([{ path: '', message: 'either or' }])
  })

  it('are reported all at once', () => {
    const read = readShape(z.array(schema), [{ size: 'x' }, 7])
    expect(read.ok ? [] : read.mistakes.map(mistake => `${propertyPath(mistake.path)} ${mistake.sentence}`)).toEqual([
      'name is missing',
      'size must be a number',
      'the entry must be keys with values',
    ])
  })
})
