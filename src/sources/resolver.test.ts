import { describe, expect, it } from '@jest/globals'
import { type SourceAsk, SourceResolver } from './resolver.ts'
import type { SourceCard } from './source.ts'

const TELEMETRY: SourceCard = {
  id: 'telemetry',
  description: 'Links, devices and their measurements',
  tables: ['network.links', 'network.devices', 'network.latency_samples'],
}
const CRM: SourceCard = {
  id: 'crm',
  description: 'Customers, contracts, invoices',
  tables: ['shop.customers', 'shop.contracts', 'shop.invoices', 'shop.orders'],
}
const WEBSHOP: SourceCard = { id: 'webshop', description: 'The online shop', tables: ['store.orders', 'store.carts'] }
const ERP: SourceCard = { id: 'erp', description: 'Purchasing', tables: ['purchasing.orders', 'purchasing.suppliers'] }
const ALL = [TELEMETRY, CRM, WEBSHOP, ERP]

const resolver = new SourceResolver()
const resolve = (question: string, more: Partial<SourceAsk> & { readonly most?: number } = {}) =>
  resolver.resolve({ question, sources: ALL, fits: ids => ids.length <= (more.most ?? 0), ...more })

describe('SourceResolver', () => {
  it('finds nothing for somebody who may use no source', async () => {
    expect(await resolve('links', { sources: [] })).toEqual([])
  })

  it('takes the only source, whatever the question', async () => {
    expect(await resolve('contracts', { sources: [TELEMETRY] })).toEqual(['telemetry'])
  })

  it('takes a source that is clearly ahead, or that the question names', async () => {
    expect(await resolve('Which links have a high latency?')).toEqual(['telemetry'])
    expect(await resolve('How many orders are in the erp?')).toEqual(['erp'])
  })

  it('takes all sources that the question names', async () => {
    expect(await resolve('Compare orders in the erp with those in the crm')).toEqual(['erp', 'crm'])
  })

  it('takes all sources if their schemas fit, the likeliest first', async () => {
    const question = 'Which customers with unpaid invoices use links with a high latency?'
    expect(await resolve(question, { most: 4 })).toEqual(['crm', 'telemetry', 'webshop', 'erp'])
    expect(await resolve('Hello', { most: 4 })).toEqual(['telemetry', 'crm', 'webshop', 'erp'])
  })

  it('takes only the sources that a question may need if not all fit', async () => {
    const question = 'Which customers with unpaid invoices use links with a high latency?'
    expect(await resolve(question)).toEqual(['crm', 'telemetry'])
  })

  it('finds the likeliest if sources are about equal and not all fit together', async () => {
    const shops = ['north', 'south'].map(id => ({ id, description: 'A shop', tables: [`${id}.orders`] }))
    const sources = [TELEMETRY, ...shops]
    const question = 'How many orders last week?'
    expect(await resolve(question, { sources })).toEqual(['north', 'south'])
    expect(await resolve(question, { sources, most: 2 })).toEqual(['north', 'south'])
    expect(await resolve('What happened in Lisbon?', { sources })).toEqual(['telemetry', 'north', 'south'])
  })

  it('stays with the thread’s source for a follow-up, until another one is clearly ahead', async () => {
    const conversationSource = 'webshop'
    for (const question of ['And by month?', 'And in Lisbon?', 'How many orders last week?'])
      expect(await resolve(question, { conversationSource })).toEqual(['webshop'])
    expect(await resolve('Which links have a high latency?', { conversationSource })).toEqual(['telemetry'])
    expect(await resolve('And in the crm?', { conversationSource })).toEqual(['crm'])
  })

  it('keeps the thread’s source beside another one where the question points back', async () => {
    const both = ['crm', 'telemetry']
    const conversationSource = 'telemetry'
    expect(await resolve('How many of these have unpaid invoices?', { conversationSource })).toEqual(both)
    expect(await resolve('Which of them are customers in the crm?', { conversationSource })).toEqual(both)
    expect(await resolve('Welche davon haben Kunden mit Vertrag?', { conversationSource })).toEqual(both)
    expect(await resolve('How many of them are there?', { conversationSource })).toEqual(['telemetry'])
  })

  it('forgets the thread’s source where the asker may not use it any more', async () => {
    expect(await resolve('And by month?', { conversationSource: 'crm', sources: [TELEMETRY, ERP], most: 4 })).toEqual([
      'telemetry',
      'erp',
    ])
  })

  it('builds an index anew where a card has changed', async () => {
    expect(await resolve('How many carts?')).toEqual(['webshop'])
    const moved = [TELEMETRY, CRM, { ...WEBSHOP, tables: ['store.orders'] }, { ...ERP, tables: ['purchasing.carts'] }]
    expect(await resolve('How many carts?', { sources: moved })).toEqual(['erp'])
  })
})
