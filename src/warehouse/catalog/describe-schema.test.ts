import { describe, expect, it } from '@jest/globals'
import { columnOf, schemaOf, tableOf } from '../../../test/support/schema-fixture.ts'
import { describeTable, listTables } from './describe-schema.ts'

const values = { distinct: 2, nullShare: 0, min: null, max: null, samples: ['paid', 'open'], rowsScanned: 10, exact: true }
const orders = tableOf('orders', {
  comment: 'What was ordered',
  rows: 1_234,
  sortingKey: 'id',
  columns: [
    columnOf('id', 'UInt64', { statistics: { ...values, samples: [], min: '1', max: '1234', rangeExact: true } }),
    columnOf('status', 'String', { comment: 'how far it is', statistics: { ...values, nullShare: 0.5 } }),
    columnOf('mail', 'String', { isPrivate: true }),
  ],
})

describe('listTables', () => {
  it('lists tables by database', () => {
    const view = tableOf('paid', { database: 'sales', rows: null, engine: 'View', viewDefinition: 'SELECT 1' })
    expect(listTables(schemaOf(view, orders))).toBe(
      '**sales**\n- `paid` (view)\n\n**shop**\n- `orders` (about 1,200 rows): What was ordered',
    )
  })

  it('says so if there are none, and counts those left out', () => {
    expect(listTables(schemaOf())).toBe('There are no tables that I may read.')
    const many = Array.from({ length: 130 }, (_, index) => tableOf(`t${index}`))
    expect(listTables(schemaOf(...many))).toContain('… and 30 more tables.')
  })
})

describe('describeTable', () => {
  it('shows a table', () => {
    const description = describeTable(schemaOf(orders), 'ORDERS')
    expect(description.kind === 'described' && description.markdown).toBe(`**\`shop.orders\`**

What was ordered

\`MergeTree\` · about 1,200 rows · sorted by \`id\`

| Column | Type | Meaning | Values |
|---|---|---|---|
| \`id\` | \`UInt64\` |  | 1 to 1234 |
| \`status\` | \`String\` | how far it is | \`paid\`, \`open\`; 50 % empty |
| \`mail\` | \`String\` |  | private |`)
  })

  it('shows it in German', () => {
    const versions = tableOf('orders', { ...orders, engine: 'ReplacingMergeTree', rows: 2_500_000 })
    const description = describeTable(schemaOf(versions), 'orders', 'de')
    const markdown = description.kind === 'described' ? description.markdown : ''
    expect(markdown).toContain('etwa 2,5 Mio. Zeilen · sortiert nach `id`')
    expect(markdown).toContain('_Hinweis: enthält vielleicht mehrere Fassungen einer Zeile je (id): mit FINAL lesen')
    expect(markdown).toContain('| Spalte | Typ | Bedeutung | Werte |')
    expect(markdown).toContain('1 bis 1234')
    expect(markdown).toContain('50 % leer')
    expect(markdown).toContain('| privat |')
    expect(listTables(schemaOf(versions), 'de')).toBe('**shop**\n- `orders` (etwa 2,5 Mio. Zeilen): What was ordered')
    expect(listTables(schemaOf(), 'de')).toBe('Es gibt keine Tabellen, die ich lesen darf.')
  })

  it('returns the reason if it cannot show one', () => {
    expect(describeTable(schemaOf(orders), 'order')).toEqual({ kind: 'unknown', near: ['shop.orders'] })
  })

  it('escapes foreign text as Markdown', () => {
    const text = '[x](http://evil) <!channel> @everyone ![i](u) *b* `c` | d\n# e'
    const table = tableOf('t|`', { comment: text, columns: [columnOf('a|`b', 'Int8', { comment: text })] })
    const description = describeTable(schemaOf(table), 't|`')
    const markdown = description.kind === 'described' ? description.markdown : ''
    expect(markdown).toContain("\\[x\\]\\(http://evil\\) \\<\\!channel\\> \\@everyone \\!\\[i\\]\\(u\\) \\*b\\* 'c' \\| d \\# e")
    expect(markdown).toContain("| `a\\|'b` | `Int8` |")
  })
})
