import { describe, expect, it } from '@jest/globals'
import { matchChoice } from './match-choice.ts'

const cost = {
  kind: 'need_confirm',
  choices: [
    { value: 'run', label: 'Run it' },
    { value: 'narrow', label: 'Ask for less' },
    { value: 'stop', label: 'Stop' },
  ],
} as const
const shop = {
  kind: 'need_clarification',
  choices: ['Berlin', 'Oslo', '30 days'].map(words => ({ value: words, label: words })),
} as const
const source = {
  kind: 'need_datasource',
  choices: [
    { value: 'sales', label: 'sales: orders of the web shop' },
    { value: 'ops', label: 'ops' },
  ],
} as const

describe('a reply to a choice', () => {
  it.each([
    ['1', 0],
    ['2.', 1],
    [' #3 ', 2],
    ['option 2', 1],
    ['No. 2', 1],
    ['the second', 1],
    ['the 2nd one', 1],
    ['Third', 2],
    ['the last one', 2],
    ['run', 0],
    ['Run it!', 0],
    ['yes', 0],
    ['Yes, please.', 0],
    ['yes, run it', 0],
    ['ok go ahead', undefined],
    ['please do', 0],
    ['*ask for less*', 1],
    ['less', 1],
    ['No', 2],
    ['no thanks', 2],
    ['don’t', 2],
    ['STOP', 2],
  ])('about the cost: %s', (said, choice) => {
    expect(matchChoice(said, cost)).toBe(choice)
  })

  it.each([
    ['berlin', 0],
    ['“Oslo”', 1],
    ['30 days', 2],
    ['the first', 0],
    ['2', 1],
  ])('to a clarification: %s', (said, choice) => {
    expect(matchChoice(said, shop)).toBe(choice)
  })

  it.each([
    ['ops', 1],
    ['Sales', 0],
    ['1', 0],
  ])('to a data source: %s', (said, choice) => {
    expect(matchChoice(said, source)).toBe(choice)
  })

  it.each(['', '0', '4', '30', 'yes, but only for March', 'no, how many in Oslo?', 'the eleventh', 'how much was sold?'])(
    'means no choice if it says something else: %s',
    said => {
      expect(matchChoice(said, cost)).toBeUndefined()
      expect(matchChoice(said, shop)).toBeUndefined()
    },
  )

  it.each([
    ['yes', 0],
    ['no', 1],
    ['less', undefined],
    ['answer without', 1],
  ])('to another confirmation: %s', (said, choice) => {
    const choices = [
      { value: 'replay', label: 'Replay' },
      { value: 'skip', label: 'Answer without' },
    ]
    expect(matchChoice(said, { kind: 'need_confirm', choices })).toBe(choice)
  })

  it('is no yes or no without a confirmation', () => {
    expect(matchChoice('yes', shop)).toBeUndefined()
    expect(matchChoice('no', source)).toBeUndefined()
  })
})
