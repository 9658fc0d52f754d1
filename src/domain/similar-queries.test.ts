import { describe, expect, it } from '@jest/globals'
import { similarQueries } from './similar-queries.ts'

const QUERIES = [
  'How many orders were there last month?',
  'Which customers returned the most orders?',
  'What is the revenue per country, in euros?',
  'What is the revenue per week?',
  'How many customers are there per country?',
].map(question => ({ question, sql: 'SELECT 1', verified_by: 'Ann', verified_at: '2026-10-01' }))

const found = (question: string) => similarQueries(question, QUERIES).map(query => query.question)

describe('similarQueries', () => {
  it.each([
    ['How many orders were there last month?', 'How many orders were there last month?'],
    ['revenue by country please', 'What is the revenue per country, in euros?'],
    ['Who returned most orders? Which customer?', 'Which customers returned the most orders?'],
    ['Revenue of each week', 'What is the revenue per week?'],
  ])('finds for %j first of all %j', (question, first) => {
    expect(found(question)[0]).toBe(first)
  })

  it('finds nothing for a question about something else, or without any queries', () => {
    expect(found('What is the median latency between two hosts?')).toEqual([])
    expect(similarQueries('How many orders?', [])).toEqual([])
  })

  it('finds at most three', () => {
    expect(
      found('How many customers, orders, revenue per country and week were returned last month?').length,
    ).toBeLessThanOrEqual(3)
  })
})
