import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { keyFingerprint, openSigned, signText } from './signed-text.ts'

describe('a signed text', () => {
  it('can be opened only for its place and with its key', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.string(), fc.string(), (key, place, text, other) => {
        const signed = signText(key, place, text)
        expect(openSigned(key, place, signed)).toBe(text)
        if (other !== place) expect(openSigned(key, other, signed)).toBeUndefined()
        if (other !== key && keyFingerprint(other) !== keyFingerprint(key))
          expect(openSigned(other, place, signed)).toBeUndefined()
        if (other !== signed) expect(openSigned(key, place, other)).toBeUndefined()
      }),
    )
  })

  it('is invalid after a change', () => {
    const signed = signText('key', 'place', 'alice')
    expect(openSigned('key', 'place', signed.replace('alice', 'mallory'))).toBeUndefined()
    expect(openSigned('key', 'place', 'alice')).toBeUndefined()
    expect(openSigned('key', 'place', '')).toBeUndefined()
  })
})
