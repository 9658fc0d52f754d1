import { describe, expect, it } from '@jest/globals'
import { withRealCitations } from './real-citations.ts'

describe('withRealCitations', () => {
  it.each([
    ['42 [Q1]. 7 [Q1, Q3]', '42 [Q1]. 7 [Q1, Q3]'],
    ['42 [Q9] _(unverified)_', '42 Q9 _(unverified)_'],
    ['42 [Q1, Q2,Q9]', '42 [Q1], Q2, Q9'],
    ['[Q2](http://x) [x] Q2', 'Q2(http://x) [x] Q2'],
  ])('shows %s as %s', (markdown, shown) => {
    expect(withRealCitations(markdown, new Set(['Q1', 'Q3']))).toBe(shown)
  })
})
