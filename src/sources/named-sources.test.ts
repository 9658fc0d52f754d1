import { describe, expect, it } from '@jest/globals'
import { sourceNamer } from './named-sources.ts'

const named = sourceNamer(['crm', 'crm_partners', 'energy', 'support', 'erp2'])

describe('a question names a source', () => {
  it.each<[string, readonly string[]]>([
    ['In the CRM, how many orders are open?', ['crm']],
    ['How many orders are open in our crm?', ['crm']],
    ['orders from crm last week', ['crm']],
    ['orders in the crm database', ['crm']],
    ['Wie viele Kunden stehen im CRM?', ['crm']],
    ['Kunden aus dem CRM, bitte', ['crm']],
    ['crm', ['crm']],
    ['crm partners', ['crm_partners']],
    ['contracts in crm partners, by month', ['crm_partners']],
    ['compare erp2 with crm_partners', ['erp2', 'crm_partners']],
  ])('%s', (question, expected) => {
    expect(named(question)).toEqual(expected)
  })

  it.each([
    'How much energy do machines use?',
    'What is the change in energy consumption?',
    'Does the crm matter?',
    'orders in crm partnerships',
    'customers in support tickets',
  ])('but not so: %s', question => {
    expect(named(question)).toEqual([])
  })
})
