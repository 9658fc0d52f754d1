import { describe, expect, it } from '@jest/globals'
import { isAlreadySaid, isNamed } from './already-said.ts'

describe('isAlreadySaid', () => {
  const answer =
    'There were 372 users [Q1].\n- Closed stations are counted, too.\nGezählt sind nur Fahrten, die bis zum 30. Oktober 2026 begannen.'

  it.each(['Closed stations count.', 'Closed stations are counted.', 'Nur Fahrten bis zum 30. Oktober 2026 wurden gezählt.'])(
    'accepts a text that says it in other words: %s',
    remark => {
      expect(isAlreadySaid(remark, answer)).toBe(true)
    },
  )

  it.each([
    'Closed stations are not counted.',
    'Deleted users are counted.',
    'Fahrten bis zum 31. Oktober 2026 sind gezählt.',
    'Only closed stations are counted.',
    '372 closed stations are counted.',
    '…',
  ])('rejects a text that says something else: %s', remark => {
    expect(isAlreadySaid(remark, answer)).toBe(false)
  })
})

it('isNamed matches whole words only', () => {
  for (const text of ['There is DZ100.', 'There is fra-DZ10.', 'There is DZ10-b.', 'There is aDZ10.'])
    expect(isNamed('DZ10', text)).toBe(false)
  for (const text of ['There is DZ10.', '(`DZ10`)', 'DZ10, DZ11', 'DZ10 - and']) expect(isNamed('DZ10', text)).toBe(true)
})
