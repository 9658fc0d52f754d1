import { beforeAll, describe, expect, it } from '@jest/globals'
import { findTables, tableNames } from '../../src/warehouse/retrieval/find-tables.ts'
import type { TablesAsk } from '../../src/warehouse/schema-source.ts'
import { type IndexedCatalog, indexedCatalog, measureRetrieval } from './measure-retrieval.ts'

let catalog: IndexedCatalog

beforeAll(() => {
  catalog = indexedCatalog(10_000)
})

describe('the search in a catalog of 10,000 tables', () => {
  it('shows the needed tables for 98 of 100 questions, in a prompt that grows by less than 1.4 times', async () => {
    const { recall, promptGrowth, misses } = await measureRetrieval(catalog, { rounds: 1 })
    if (recall.all < 0.98) throw new Error(`not shown: ${JSON.stringify(misses)}`)
    expect(recall.unseen).toBeGreaterThanOrEqual(0.98)
    expect(promptGrowth.most).toBeLessThan(1.4)
  })
})

describe('findTables', () => {
  const find = (ask: TablesAsk, known = catalog.names) =>
    findTables(catalog.search, known, ask).map(({ table }) => `${table.database}.${table.name}`)

  it('shows the maintained one of near-duplicates, and names some of the others', () => {
    const [first] = findTables(catalog.search, catalog.names, { text: 'How many shipments were lost?' })
    expect(first?.table).toMatchObject({ database: 'logistics', name: 'shipments' })
    expect(first?.copies.length).toBeGreaterThan(5)
    expect(find({ text: 'How many shipments were lost?' }).filter(name => /shipments_20|tmp_shipments/.test(name))).toEqual([])
  })

  it('shows the year that a question names, beside the maintained table', () => {
    const [named] = [...catalog.names.qualified.keys()].filter(name => /^shop\.\w+_2021$/.test(name))
    const subject = named?.slice('shop.'.length, -'_2021'.length) ?? ''
    expect(find({ text: `${subject.replaceAll('_', ' ')} of 2021` }).slice(0, 4)).toContain(named)
  })

  it('always shows a named table', () => {
    const [unlikely = ''] = [...catalog.names.qualified.keys()].filter(name => name.includes('_bak_'))
    expect(find({ text: `what is in ${unlikely.slice(unlikely.indexOf('.') + 1)}?` })[0]).toBe(unlikely)
    expect(find({ text: `what is in \`${unlikely}\`?` })[0]).toBe(unlikely)
  })

  it('shows hinted tables, and new ones in a second look', () => {
    // This question contains no name of a table, because a table that is named is always shown.
    const text = 'How many parcels got lost?'
    expect(find({ text, hints: new Map([['hr.trainings', 1]]) }).slice(0, 3)).toContain('hr.trainings')
    const before = new Set(find({ text }).slice(0, 10))
    expect(find({ text, without: before }).filter(name => before.has(name))).toEqual([])
  })

  it('finds nothing that the asker may not know', () => {
    const own = tableNames([...catalog.names.qualified.values()].filter(({ database }) => database === 'hr'))
    const found = find({ text: 'How many shipments were lost by employees?' }, own)
    expect(found.length).toBeGreaterThan(0)
    expect(found.every(name => name.startsWith('hr.'))).toBe(true)
  })
})
