import { describe, expect, it } from '@jest/globals'
import { measureRouting } from './measure.ts'
import { otherSources, routingQuestions, routingWorld } from './world.ts'

describe.each([
  ['twelve sources', 0],
  ['twelve sources beside 1,000 others', 1_000],
])('the resolver with %s', (_, others) => {
  const cards = [...routingWorld(), ...otherSources(others)]

  it('finds the right source first for 95 % of the questions, and among the first five for 99 %', () => {
    const { first, inFive, routed, missed } = measureRouting(cards, routingQuestions('questions.txt'))
    expect({ missed, enough: [first >= 0.95, inFive >= 0.99, routed >= 0.98] }).toMatchObject({ enough: [true, true, true] })
  })

  it('gives a question over two sources both', () => {
    const { inFive, routed, missed } = measureRouting(cards, routingQuestions('cross-source.txt'))
    expect({ missed, enough: [inFive === 1, routed >= 0.95] }).toMatchObject({ enough: [true, true] })
  })
})
