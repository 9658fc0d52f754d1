import { describe, expect, it } from '@jest/globals'
import type { Schema } from '../warehouse/schema.ts'
import { verifiedQueryOf, verifiedQuerySchema } from './files.ts'
import { verifiedQueryFaults } from './verified-query-faults.ts'
import { whyNotRun } from './why-not-run.ts'

const column = (name: string, type: string, isPrivate = false) => ({ name, type, comment: '', isPrivate })
const SCHEMA: Schema = {
  tables: [
    {
      ...{ database: 'shop', name: 'orders', engine: 'MergeTree', comment: '', primaryKey: '', sortingKey: '', partitionKey: '' },
      ...{ rows: 9, viewDefinition: '' },
      columns: [
        column('id', 'UInt32'),
        column('city', 'LowCardinality(String)'),
        column('person', 'String', true),
        column('day', 'Date'),
      ],
    },
  ],
  databases: [],
  ...{ serverVersion: '26.7', timeZone: 'UTC', fetchedAt: '' },
}
const SQL = 'SELECT count() FROM shop.orders WHERE city = {city}'
const BY = { verified_by: 'Ann', verified_at: '2026-10-01' }

function inCity(
  question: string,
  { sql = SQL, column: of = 'shop.orders.city', ...more }: Readonly<Record<string, string>> = {},
) {
  const parameters = [{ name: 'city', type: 'text', example: 'Oslo', column: of }]
  return verifiedQueryOf(verifiedQuerySchema.parse({ question, sql, parameters, ...BY, ...more }))
}

describe('verifiedQueryFaults', () => {
  it('finds nothing if the columns exist and the questions differ', () => {
    const one = inCity('How many are in {city}?', { data_time: 'shop.orders.day' })
    const others = [inCity('How much is in {city}?', { sql: `${SQL} + 1` }), inCity('how many are in {city}')]
    expect(verifiedQueryFaults(one, [one, ...others], SCHEMA)).toEqual([])
  })

  it.each([
    [{ column: 'shop.orders.town' }, /^\{city\} is of shop\.orders\.town, which is not a text column/],
    [{ column: 'shop.orders.id' }, /^\{city\} is of shop\.orders\.id, which/],
    [{ column: 'shop.orders.person' }, /^\{city\} is of shop\.orders\.person, which .* may be read/],
    [{ data_time: 'shop.orders.city' }, /^data_time is shop\.orders\.city, which is not a time column/],
  ])('names what the schema lacks: %j', (given, fault) => {
    const query = inCity('How many are in {city}?', given)
    expect(verifiedQueryFaults(query, [query], SCHEMA)).toEqual([expect.stringMatching(fault)])
  })

  it('names an equal question with other SQL', () => {
    const one = inCity('How many are in {city}?')
    const other = inCity('how many  are in {city}', { sql: `${SQL} + 1` })
    expect(verifiedQueryFaults(one, [one, other], SCHEMA)).toEqual([
      '"how many  are in Oslo" is the same question with other SQL: neither is run at once.',
    ])
  })
})

describe('whyNotRun', () => {
  it.each([
    ['How many yesterday?', "SELECT '2026-03-01'", /names a date/],
    ['How many in 2026?', "SELECT '2026-03-01'", undefined],
    ['How many this month and in March 2026?', "SELECT '2026-10-01', '2026-03-01'", /names a date/],
    ['How many are mine?', 'SELECT 1', /whoever asks/],
    ['Wie viele gehören mir?', 'SELECT 1', /whoever asks/],
    ['Wie viele diesen Monat und im März 2026?', "SELECT '2026-10-01', '2026-03-01'", /names a date/],
  ])('explains %j with %j', (question, sql, why) => {
    const reason = whyNotRun(verifiedQueryOf({ question, sql, ...BY }))
    if (why === undefined) expect(reason).toBeUndefined()
    else expect(reason).toMatch(why)
  })
})
