import { describe, expect, it } from '@jest/globals'
import { findTextFault } from './source-text.ts'

describe('findTextFault', () => {
  it('passes what people write, in any language', () => {
    expect(findTextFault("SELECT 'Größe, 数据, ❤️'\r\n\tFROM t")).toBeUndefined()
    expect(findTextFault(`SELECT '${'x'.repeat(16_000)}'`)).toBeUndefined()
    expect(findTextFault(`SELECT 1 WHERE ${Array(10).fill('a BETWEEN 1 AND 2').join(' OR ')}`)).toBeUndefined()
  })

  it.each(['\0', '\u200b', '\u200d', '\u202e', '\u2066', '\ufeff', '\u00ad', '\u{e0041}', '\ud800', '\b', '\u0085'])(
    'refuses a hidden character',
    character => {
      expect(findTextFault(`SELECT '${character}'`)).toMatchObject({ code: 'forbidden_character' })
    },
  )

  it('counts bytes, not characters', () => {
    expect(findTextFault(`SELECT '${'é'.repeat(8_200)}'`)).toMatchObject({ code: 'too_long' })
  })

  it('refuses as many BETWEEN as could be printed without end', () => {
    expect(findTextFault(`SELECT 1${' between 0 AND 1'.repeat(30)}`)).toMatchObject({ code: 'too_long' })
  })
})
