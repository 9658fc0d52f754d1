import { describe, expect, it } from '@jest/globals'
import { memoizePerObject, memoizePerText } from './memoize.ts'

describe('memoizePerObject', () => {
  it('computes once per object, whatever the result', () => {
    const asked: object[] = []
    const sizeOf = memoizePerObject((key: object) => {
      asked.push(key)
      return asked.length > 1 ? undefined : 'first'
    })
    const [one, other] = [{}, {}]
    expect([sizeOf(one), sizeOf(one), sizeOf(other), sizeOf(other)]).toEqual(['first', 'first', undefined, undefined])
    expect(asked).toEqual([one, other])
  })
})

describe('memoizePerText', () => {
  it('keeps only the latest texts', () => {
    const asked: string[] = []
    const doubled = memoizePerText(text => {
      asked.push(text)
      return text + text
    }, 2)
    expect(['a', 'b', 'a', 'c', 'a', 'b'].map(doubled)).toEqual(['aa', 'bb', 'aa', 'cc', 'aa', 'bb'])
    expect(asked).toEqual(['a', 'b', 'c', 'b'])
  })

  it('does not cache failures', () => {
    let isBroken = true
    const length = memoizePerText(text => {
      if (isBroken) throw new RangeError(text)
      return text.length
    }, 2)
    expect(() => length('abc')).toThrow(RangeError)
    isBroken = false
    expect(length('abc')).toBe(3)
  })
})
