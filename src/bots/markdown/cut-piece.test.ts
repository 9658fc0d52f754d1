import { describe, expect, it } from '@jest/globals'
import { type CutRules, cutPiece } from './cut-piece.ts'
import type { LaidOut } from './piece.ts'
import { type Span, spansText } from './span.ts'

const spanLength = ({ text, link }: Span) => text.length + (link?.length ?? 0)
const rules = (most: number, more: Partial<CutRules> = {}): CutRules => ({
  most,
  spanLength,
  pieceLength: piece => (piece.kind === 'rule' ? 0 : piece.kind === 'code' ? piece.text.length : sum(piece.spans)),
  ...more,
})
const sum = (spans: readonly Span[]) => spans.reduce((length, span) => length + spanLength(span), 0)
const paragraph = (...spans: readonly Span[]): LaidOut => ({ kind: 'paragraph', spans })
const texts = (pieces: readonly LaidOut[]) =>
  pieces.map(piece => (piece.kind === 'rule' ? '' : piece.kind === 'code' ? piece.text : spansText(piece.spans)))

describe('a piece that is too long', () => {
  it.each([
    ['after a line', 'first line\nsecond line', 15, ['first line\n', 'second line']],
    ['after a word', 'some words here', 10, ['some ', 'words here']],
    ['between characters', 'x'.repeat(25), 10, ['x'.repeat(10), 'x'.repeat(10), 'x'.repeat(5)]],
    ['never within one', '😀'.repeat(6), 5, ['😀😀', '😀😀', '😀😀']],
  ])('is cut %s', (_, text, most, expected) => {
    expect(texts(cutPiece(paragraph({ text }), rules(most)))).toEqual(expected)
  })

  it('keeps the styles of its spans, and keeps short spans whole', () => {
    expect(cutPiece(paragraph({ text: 'x'.repeat(18) }, { text: 'bold', bold: true }), rules(20))).toEqual([
      paragraph({ text: 'x'.repeat(18) }),
      paragraph({ text: 'bold', bold: true }),
    ])
  })

  it('respects the limit of spans', () => {
    const spans = Array.from({ length: 5 }, (_, index): Span => (index % 2 === 0 ? { text: 'a' } : { text: 'b', bold: true }))
    expect(texts(cutPiece(paragraph(...spans), rules(99, { mostSpans: 2 })))).toEqual(['ab', 'ab', 'a'])
  })

  it('shows the address of an overlong link as text', () => {
    const link = `https://docs.example/${'x'.repeat(40)}`
    const cut = cutPiece(paragraph({ text: 'the docs', link }), rules(30))
    expect(texts(cut).join('')).toBe(`the docs (${link})`)
    expect(JSON.stringify(cut)).not.toContain('"link"')
  })

  it('continues as a paragraph after an item, and as code after code', () => {
    const item = cutPiece({ kind: 'item', indent: 1, number: 3, spans: [{ text: 'one two' }] }, rules(4))
    expect(item.map(({ kind }) => kind)).toEqual(['item', 'paragraph'])
    const code = cutPiece({ kind: 'code', language: 'sql', text: 'SELECT 1\nSELECT 2\nSELECT 3' }, rules(24))
    expect(code).toMatchObject([{ kind: 'code' }, { kind: 'code' }, { kind: 'code', text: 'SELECT 3', language: 'sql' }])
  })
})
