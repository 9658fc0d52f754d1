import { describe, expect, it } from '@jest/globals'
import { isAlreadySaid, isRestated, mentionsValue } from './already-said.ts'

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

describe('isRestated', () => {
  const german = {
    asked: 'Wie viele Fahrten gab es im Oktober?',
    markdown: 'Im Oktober 2026 gab es 6.700 Fahrten [Q1].',
  }
  const english = { asked: 'Which was the longest ride?', markdown: 'The longest ride took 53 minutes [Q1].' }

  it.each([
    ['Mit Oktober ist der Oktober 2026 gemeint.', german],
    ['Gezählt sind Fahrten im Oktober 2026.', german],
    ['"Longest ride" means 53 minutes.', english],
  ])('of what puts together question and answer: %s', (remark, said) => {
    expect(isRestated(remark, said)).toBe(true)
  })

  it.each([
    ['Mit Oktober ist der Oktober 2025 gemeint.', german],
    ['Stornierte Fahrten zählen mit.', german],
    ['Fahrten ohne Ende zählen im Oktober 2026 nicht.', german],
    ['The longest ride is by duration, not by distance.', english],
  ])('not of what another reading would change: %s', (remark, said) => {
    expect(isRestated(remark, said)).toBe(false)
  })
})

it('mentionsValue matches whole words only', () => {
  for (const text of ['There is DZ100.', 'There is fra-DZ10.', 'There is DZ10-b.', 'There is aDZ10.'])
    expect(mentionsValue('DZ10', text)).toBe(false)
  for (const text of ['There is DZ10.', '(`DZ10`)', 'DZ10, DZ11', 'DZ10 - and']) expect(mentionsValue('DZ10', text)).toBe(true)
})
