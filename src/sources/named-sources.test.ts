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
    ['Fee of each customer in crm and energy?', ['crm', 'energy']],
    ['Kunden aus dem CRM, energy und der Support', ['crm', 'energy', 'support']],
    ['customers in the crm database and our energy database', ['crm', 'energy']],
    ['compare erp2 with crm_partners', ['erp2', 'crm_partners']],
    ['Customers of crm, with their meters in the energy database', ['energy', 'crm']],
    ['Kunden des CRM mit ihren Zählern in energy', ['energy', 'crm']],
  ])('%s', (question, expected) => {
    expect(named(question)).toEqual(expected)
  })

  it.each([
    'How much energy do machines use?',
    'What is the change in energy consumption?',
    'Does the crm matter?',
    'orders in crm partnerships',
    'customers in support tickets',
    'What is the price of energy?',
    'the crm and energy',
  ])('but not so: %s', question => {
    expect(named(question)).toEqual([])
  })

  it('beside which a subject is none', () => {
    expect(named('orders in the crm and support tickets')).toEqual(['crm'])
    expect(named('in the crm, energy use of machines')).toEqual(['crm'])
    expect(named('number of support tickets in the crm')).toEqual(['crm'])
  })
})
