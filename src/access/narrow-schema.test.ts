import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { columnOf, schemaOf, tableOf } from '../../test/support/schema-fixture.ts'
import { runsOf } from '../../test/support/whole.ts'
import { atOnce } from '../base/at-once.ts'
import { describeTable, listTables } from '../warehouse/catalog/describe-schema.ts'
import { renderSchema } from '../warehouse/catalog/schema-prompt.ts'
import { nearNames } from '../warehouse/near-names.ts'
import type { Schema } from '../warehouse/schema.ts'
import { narrowSchema, rememberingNarrower } from './narrow-schema.ts'
import { isGranted, type TableGrant } from './table-grant.ts'

const SHOP: TableGrant = { tables: ['shop.*'], except: ['shop.salaries', 'shop.Pay Roll'] }

const WORLD = schemaOf(
  tableOf('orders', { comment: 'What was sold; who sold it is in `shop`.`salaries`' }),
  tableOf('products', { comment: 'What is on offer' }),
  tableOf('salaries'),
  tableOf('Pay Roll'),
  tableOf('paid', {
    engine: 'View',
    viewDefinition: 'SELECT sum(amount) AS amount FROM shop.salaries',
    comment: 'Sums, of "pay roll"',
    columns: [columnOf('amount', 'UInt64', { comment: 'from SALARIES' })],
  }),
  tableOf('joined', {
    columns: [
      columnOf('name', 'String', { computed: { kind: 'ALIAS', expression: "dictGet('shop.salaries', 'name', id)" } }),
      columnOf('id', 'UInt64', { comment: 'Of products.' }),
    ],
  }),
  tableOf('orders', { database: 'finance' }),
)

const narrowed = (whole: Schema, grants: readonly TableGrant[]) => atOnce(narrowSchema(whole, grants))
const namesOf = (schema: Schema) => schema.tables.map(({ database, name }) => `${database}.${name}`)

describe('a narrowed schema', () => {
  const { schema, hidden } = narrowed(WORLD, [SHOP])

  it('has the granted tables', () => {
    expect(namesOf(schema)).toEqual(['shop.orders', 'shop.products', 'shop.paid', 'shop.joined'])
  })

  it('has the databases of those tables, and no others', () => {
    expect(schema.databases).toEqual([{ name: 'shop', comment: '' }])
    const { schema: commented } = narrowed({ ...WORLD, databases: [{ name: 'shop', comment: 'Salaries too' }] }, [SHOP])
    expect(commented.databases).toEqual([{ name: 'shop', comment: '' }])
  })

  it('has no text that names another table: no comment, expression or view definition', () => {
    const [orders, products, paid, joined] = schema.tables
    expect(orders?.comment).toBe('')
    expect(products?.comment).toBe('What is on offer')
    const split = { name: 'shop', comment: 'See sal\u200baries' }
    expect(narrowed({ ...WORLD, databases: [split] }, [SHOP]).schema.databases).toEqual([{ name: 'shop', comment: '' }])
    expect(paid).toMatchObject({ comment: '', viewDefinition: '', engine: 'View' })
    expect(paid?.columns[0]?.comment).toBe('')
    expect(joined?.columns.map(column => column.computed?.expression ?? column.comment)).toEqual(['', 'Of products.'])
  })

  it.each([
    ['a table by its name', 'see salaries', true],
    ['in capitals and quoted', 'see `SHOP` . "Salaries"', true],
    ['a name of two words', 'of the pay roll', true],
    ['a table of the same name in another database', 'finance.orders', true],
    ['a table that is granted', 'shop.orders', false],
    ['a longer name', 'salaries_2', false],
  ])('recognises %s', (_, text, expected) => {
    expect(hidden.areIn(text)).toBe(expected)
  })

  it.each([
    ['a plain table', 'SELECT 1 FROM shop.products', false],
    ['a plain table, with a guessed name', "SELECT toUInt8('salaries') FROM shop.products", false],
    ['no table', "SELECT toUInt32(concat('sala', 'ries'))", false],
    ['a view over a hidden table', 'SELECT 1 FROM `shop`.`paid`', true],
    ['a table whose column reads a hidden one', 'SELECT 1 FROM shop.joined', true],
  ])('says of %s whether its errors may name hidden tables', (_, query, expected) => {
    expect(hidden.areBehind(query)).toBe(expected)
  })

  it('judges the errors of a view by all that it reads', () => {
    const view = (name: string, from: string) => tableOf(name, { engine: 'View', viewDefinition: `SELECT * FROM shop.${from}` })
    const whole = schemaOf(
      ...WORLD.tables,
      ...[view('plain', 'products'), view('outer', 'paid'), view('round', 'round')],
      ...[tableOf('unknown', { engine: 'View' }), tableOf('merge', { engine: 'Merge' }), tableOf('log', { engine: 'StripeLog' })],
    )
    const { hidden: behind } = narrowed(whole, [SHOP])
    const isTold = (name: string) => behind.areBehind(`SELECT 1 FROM shop.${name}`)
    expect(['plain', 'log', 'products'].filter(isTold)).toEqual([])
    expect(['outer', 'round', 'unknown', 'merge'].filter(isTold)).toEqual(['outer', 'round', 'unknown', 'merge'])
  })

  it('hides the tables that its views read from databases outside the catalog', () => {
    const view = tableOf('v', {
      engine: 'View',
      viewDefinition: 'SELECT x FROM vault.secrets AS s INNER JOIN `vault`.`keys` AS k ON s.id = k.id',
    })
    const { hidden: behind } = narrowed(schemaOf(view), [{ tables: ['*.*'], except: [] }])
    expect(behind.areIn('Table vault.secrets does not exist')).toBe(true)
    expect(behind.areIn('no column in keys')).toBe(true)
    expect(behind.areIn('no column s.id')).toBe(false)
  })

  it('drops lines about other tables from a text, with the indented lines below them', () => {
    const text =
      '# Queries\n- How much is paid?\n  SELECT sum(x) FROM shop.salaries\n- How many orders?\n  SELECT count() FROM shop.orders'
    expect(hidden.linesWithout(text)).toBe('# Queries\n- How many orders?\n  SELECT count() FROM shop.orders')
  })
})

describe('narrowing a schema again', () => {
  it('returns the same object for the same rights, and another for other rights or a changed schema', async () => {
    const narrow = rememberingNarrower()
    const rights = (...grants: readonly TableGrant[]) => ({ grants, clickhouseRoles: [] })
    const first = await narrow(WORLD, rights(SHOP))
    expect(await narrow(WORLD, rights({ ...SHOP }))).toBe(first)
    expect(namesOf((await narrow(WORLD, rights({ tables: ['finance.*'], except: [] }))).schema)).toEqual(['finance.orders'])
    expect(await narrow({ ...WORLD }, rights(SHOP))).not.toBe(first)
  })
})

describe('whatever the grants', () => {
  // The names share words and beginnings, so suggestions could easily reveal hidden names.
  const WORDS = ['orders', 'order_items', 'orders_2', 'salaries', 'salary', 'p_cves', 'p_vendors', 'Pay Roll', 'devices']
  const tables = fc.uniqueArray(fc.tuple(fc.constantFrom('shop', 'finance'), fc.constantFrom(...WORDS)), {
    minLength: 1,
    maxLength: 8,
    selector: parts => parts.join('.'),
  })
  const patterns = fc.array(
    fc
      .tuple(fc.constantFrom('shop', 'finance', '*'), fc.constantFrom(...WORDS, '*', 'p_*', '*s', 'order*'))
      .map(parts => parts.join('.')),
    { minLength: 1, maxLength: 3 },
  )
  const grants = fc.array(fc.record({ tables: patterns, except: patterns }), { minLength: 1, maxLength: 2 })
  const secret = (database: string, name: string) => `zq${database}${name.replaceAll(/\W/g, '')}qz`.toLowerCase()

  it('no prompt, catalog answer or suggestion shows a hidden table or its values', () => {
    const property = fc.property(tables, grants, fc.constantFrom(...WORDS), (chosen, given, asked) => {
      const whole = schemaOf(
        ...chosen.map(([database, name], at) => {
          const [otherDatabase, other] = chosen[(at + 1) % chosen.length] ?? ['shop', 'orders']
          const samples = [secret(database, name)]
          const statistics = { ...{ distinct: 1, nullShare: 0, min: null, max: null, rowsScanned: 1, exact: true }, samples }
          return tableOf(name, {
            database,
            comment: `Goes with ${otherDatabase}.${other}`,
            engine: ['MergeTree', 'View', 'Buffer', 'Dictionary', 'MaterializedView'][at % 5] ?? '',
            viewDefinition: at % 2 === 0 ? '' : `SELECT * FROM ${otherDatabase}.\`${other}\``,
            linked: { database: otherDatabase, name: other },
            overlaps: [
              {
                columns: ['key_id'],
                table: { database: otherDatabase, name: other },
                tableColumns: ['key_id'],
                values: 99,
                found: 99,
              },
            ],
            columns: [
              columnOf('value', 'String', { comment: `from \`${otherDatabase}\`.\`${other}\``, statistics }),
              columnOf('key_id', 'UInt64', { comment: `${otherDatabase}.${other}.key_id` }),
            ],
          })
        }),
      )
      const { schema } = narrowed(whole, given)
      const shown = [
        renderSchema(schema).text,
        listTables(schema),
        ...chosen.map(([, name]) => JSON.stringify(describeTable(schema, name))),
        ...nearNames(
          asked,
          schema.tables.map(({ name }) => name),
        ),
      ]
        .join('\n')
        .replaceAll(/[`"\\]/g, '')
        .toLowerCase()
      const visible = new Set(namesOf(schema))
      const ownNames = new Set(schema.tables.map(({ name }) => name))
      for (const [database, name] of chosen) {
        expect(isGranted(given, { database, name })).toBe(visible.has(`${database}.${name}`))
        if (visible.has(`${database}.${name}`)) continue
        expect(shown).not.toContain(secret(database, name))
        expect(shown).not.toMatch(new RegExp(`(?<!\\w)${database}\\.${name.toLowerCase()}(?!\\w)`))
        if (!ownNames.has(name)) expect(shown).not.toMatch(new RegExp(`(?<!\\w)${name.toLowerCase()}(?!\\w)`))
      }
    })
    fc.assert(property, { numRuns: runsOf(300) })
  })
})
