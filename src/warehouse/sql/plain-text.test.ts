import { describe, expect, it } from '@jest/globals'
import { cutCharacters, onOneLine, sqlColumnName, sqlLiteral, sqlName } from './plain-text.ts'

describe('foreign text on one line', () => {
  it('loses line breaks, invisible characters and backticks', () => {
    expect(onOneLine(' a\r\n\tb\u2028c\u202e\u0000`d` ', 100)).toBe("a b c'd'")
    expect(onOneLine('abcdef', 4)).toBe('abc…')
  })

  it('is the same value when SQL reads it back', () => {
    expect(sqlLiteral("it's a\\b\n`x`\u0000")).toBe("'it\\'s a\\\\b\\n\\x60x\\x60\\x00'")
    expect(sqlLiteral('\u202e')).toBe("'\\xe2\\x80\\xae'")
  })

  it('has quoted names where SQL needs quotes', () => {
    expect([sqlName('plain_1'), sqlName('1st'), sqlName('a.b'), sqlName('say "x"')]).toEqual([
      'plain_1',
      '"1st"',
      '"a.b"',
      '"say \\"x\\""',
    ])
    expect([sqlColumnName('a.b'), sqlColumnName('a.1')]).toEqual(['a.b', '"a.1"'])
  })

  it('cuts between characters', () => {
    expect(cutCharacters('😀😀😀', 3)).toBe('😀😀😀')
    expect(cutCharacters('😀😀😀', 2)).toBe('😀…')
    expect(cutCharacters('a😀😀😀', 3)).toBe('a😀…')
    expect(cutCharacters('a'.repeat(1_000), 3)).toBe('aa…')
  })
})
