import { describe, expect, it } from '@jest/globals'
import { queryReport } from '../../../test/support/query-report.ts'
import { atOnce } from '../../base/at-once.ts'
import { newConversation } from '../../history/conversation.ts'
import { conversationPrompt } from './conversation-prompt.ts'
import { entitiesShown as entitiesInSteps } from './entities-shown.ts'

const entitiesShown = (...given: Parameters<typeof entitiesInSteps>) => atOnce(entitiesInSteps(...given))

const metros = queryReport({
  columns: [
    { name: 'metro', type: 'LowCardinality(String)' },
    { name: 'devices', type: 'UInt64' },
  ],
  rows: [
    ['ams', '3'],
    ['fra', '2'],
    ['nyc', '1'],
  ],
})

describe('entitiesShown', () => {
  it('contains exactly the names in the answer', () => {
    expect(entitiesShown('Most are in ams (3) and fra (2) [Q1].', [metros])).toEqual([
      { column: 'metro', values: ['ams', 'fra'] },
    ])
  })
  it('pauses after each column and each value, so that a wide result keeps nobody waiting', () => {
    const columns = Array.from({ length: 100 }, (_, at) => ({ name: `name_${at}`, type: 'String' }))
    const rows = Array.from({ length: 20 }, (_, row) => columns.map((_, at) => `value ${row} of ${at}`))
    const work = entitiesInSteps('They are value 3 of 7.', [queryReport({ columns, rows })])
    let steps = 0
    while (work.next().done !== true) steps += 1
    expect(steps).toBeGreaterThanOrEqual(columns.length * (rows.length + 1))
  })
  it('does not take part of a word for a name', () => {
    expect(entitiesShown('The amsterdam office has nycX.', [metros])).toEqual([])
  })
  it('knows numeric ids, but takes no figure for one', () => {
    const customers = queryReport({
      columns: [
        { name: 'customer_id', type: 'UInt64' },
        { name: 'orders', type: 'UInt64' },
      ],
      rows: [
        ['4711', '30'],
        ['17', '20'],
        ['18', '10'],
        ['20', '5'],
      ],
    })
    const answer = 'Customers 4711 (30 orders, 17.5 %) and 18 lead [Q1]; 1,017 others follow.'
    expect(entitiesShown(answer, [customers])).toEqual([{ column: 'customer_id', values: ['4711', '18'] }])
  })
  it('takes a number for an id only beside the name of its row', () => {
    const shops = queryReport({
      columns: [
        { name: 'id', type: 'Nullable(Int32)' },
        { name: 'shop', type: 'String' },
      ],
      rows: [
        [7, 'Oslo'],
        [3, 'Rome'],
      ],
    })
    expect(entitiesShown('Oslo (7) sold 3 bikes [Q1].', [shops])).toEqual([
      { column: 'id', values: ['7'] },
      { column: 'shop', values: ['Oslo'] },
    ])
  })
  it('knows names that repeat by month, but no categories', () => {
    const byMonth = (type: string) =>
      queryReport({
        columns: [
          { name: 'month', type },
          { name: 'metro', type: 'String' },
          { name: 'status', type: 'String' },
        ],
        rows: ['2026-08-01', '2026-09-01', '2026-10-01'].flatMap(month =>
          ['ams', 'fra', 'nyc', 'par'].map(metro => [month, metro, 'up']),
        ),
      })
    for (const type of ['Date', 'String']) {
      expect(entitiesShown('ams and fra are up in each month [Q1].', [byMonth(type)])).toEqual([
        { column: 'metro', values: ['ams', 'fra'] },
      ])
    }
    const hours = queryReport({
      columns: [
        { name: 'hour', type: 'DateTime' },
        { name: 'status', type: 'String' },
      ],
      rows: Array.from({ length: 6 }, (_, hour) => [`2026-10-01 0${hour}:00:00`, 'up']),
    })
    expect(entitiesShown('It was up [Q1].', [hours])).toEqual([])
  })
  it('knows names in other case, as the data spell them', () => {
    const answer = 'AMS leads before Fra; IT is quiet, and so is it [Q1].'
    const places = queryReport({
      columns: [{ name: 'place', type: 'String' }],
      rows: [['ams'], ['fra'], ['it'], ['IT'], ['nyc']],
    })
    expect(entitiesShown(answer, [places])).toEqual([{ column: 'place', values: ['ams', 'fra', 'it', 'IT'] }])
    expect(entitiesShown('Is it quiet?', [queryReport({ ...places, rows: [['IT'], ['nyc']] })])).toEqual([])
  })
  it('keeps 200 names, and says how many more there were', () => {
    const names = Array.from({ length: 203 }, (_, at) => `dev-${at}`)
    const devices = queryReport({ columns: [{ name: 'device', type: 'String' }], rows: names.map(name => [name]) })
    expect(entitiesShown(names.slice(0, 200).join(', '), [devices])).toEqual([{ column: 'device', values: names.slice(0, 200) }])
    const [all] = entitiesShown(names.join(', '), [devices])
    expect(all).toMatchObject({ more: 3 })
    const conversation = { ...newConversation('s'), summary: 'Devices.', entities: all === undefined ? [] : [all] }
    expect(conversationPrompt(conversation)).toMatch(/"dev-199"\] and 3 more/)
  })
})
