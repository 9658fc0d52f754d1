import { describe, expect, it } from '@jest/globals'
import { nearestQuestions } from './nearest-questions.ts'

const QUESTIONS = [
  'How is the network doing?',
  'How many validators are connected to the network?',
  'Which links had loss in the last 24 hours?',
  'Which three links had the highest utilisation in the last 24 hours?',
  'What tables are there?',
]

describe('the nearest questions', () => {
  it.each([
    ['How many validators are connected?', 'How many validators are connected to the network?'],
    ['Wie viele Validatoren sind verbunden?', 'How many validators are connected to the network?'],
    ['utilization of links?', 'Which three links had the highest utilisation in the last 24 hours?'],
  ])('of "%s" begin with "%s"', (question, nearest) => {
    expect(nearestQuestions(question, QUESTIONS)[0]).toBe(nearest)
  })

  it('share words with the question, a rare one before a frequent one', () => {
    expect(nearestQuestions('Which links lost packets?', QUESTIONS)).toEqual([QUESTIONS[2], QUESTIONS[3]])
    expect(nearestQuestions('the network, by utilisation?', QUESTIONS)).toEqual([QUESTIONS[3], QUESTIONS[0], QUESTIONS[1]])
  })

  it('are the first ones if none shares a word', () => {
    expect(nearestQuestions('Guten Morgen!', QUESTIONS)).toEqual(QUESTIONS.slice(0, 3))
    expect(nearestQuestions('Guten Morgen!', [])).toEqual([])
  })
})
