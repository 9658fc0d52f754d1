import { describe, expect, it } from '@jest/globals'
import { withKnownCitations } from './synthesize.ts'

describe('withKnownCitations', () => {
  const citable = new Set(['Q1', 'Q3'])
  it('keeps citations of queries that returned something', () => {
    expect(withKnownCitations('Up by 3 % [Q1, Q3].', citable)).toBe('Up by 3 % [Q1, Q3].')
  })
  it('takes out those that did not, and the brackets when none is left', () => {
    expect(withKnownCitations('Up [Q1, Q2]. Down [Q9].', citable)).toBe('Up [Q1]. Down.')
  })
})
