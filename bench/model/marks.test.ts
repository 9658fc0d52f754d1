import { describe, expect, it } from '@jest/globals'
import { marksOf } from './marks.ts'

describe('marks', () => {
  it('take an answer that begins with a formula for words', () => {
    expect(marksOf('{count()} sites [Q1]. Two rest.', ['{count()} ', 'sites [Q1]. ', 'Two ', 'rest.'])).toEqual({ sentence: 3 })
  })

  it('find the parts of a plan', () => {
    const pieces = ['{"data_questions":[', '{"id":"Q1"}', ',{"id":"Q2"}', ']}']
    expect(marksOf(pieces.join(''), pieces)).toEqual({ 'element 1': 2, 'element 2': 3 })
  })
})
