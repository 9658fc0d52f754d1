import { describe, expect, it } from '@jest/globals'
import { type PackRules, packPieces } from './pack-pieces.ts'

interface Box {
  readonly kind: string
  readonly length: number
}

/** Limits for the test: 10 characters in total, with one character between two boxes, and one box of the kind `table`. */
const rules: PackRules<Box, 'characters' | 'tables'> = {
  limits: { characters: 10, tables: 1 },
  measure: ({ kind, length }, previous) => ({
    characters: length + (previous === undefined ? 0 : 1),
    tables: kind === 'table' ? 1 : 0,
  }),
}
const pack = (...boxes: readonly (readonly [string, number])[]) =>
  packPieces(
    boxes.map(([kind, length]) => ({ kind, length })),
    rules,
  ).map(message => message.map(({ kind, length }) => `${kind}${length}`).join(' '))

describe('packPieces', () => {
  it('fills each message up to its limits', () => {
    expect(pack(['p', 5], ['p', 4], ['p', 5], ['p', 5])).toEqual(['p5 p4', 'p5', 'p5'])
    expect(pack(['table', 1], ['p', 1], ['table', 1], ['p', 1])).toEqual(['table1 p1', 'table1 p1'])
  })

  it('allows a single piece of any size', () => {
    expect(pack(['p', 50], ['p', 1])).toEqual(['p50', 'p1'])
  })

  it('keeps a heading with the next piece if both fit', () => {
    expect(pack(['p', 3], ['heading', 3], ['p', 6])).toEqual(['p3', 'heading3 p6'])
    expect(pack(['p', 3], ['heading', 3], ['p', 9])).toEqual(['p3', 'heading3', 'p9'])
    expect(pack(['heading', 9], ['p', 9])).toEqual(['heading9', 'p9'])
  })

  it('makes no message from no pieces', () => {
    expect(pack()).toEqual([])
  })
})
