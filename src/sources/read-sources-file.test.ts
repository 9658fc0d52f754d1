import { describe, expect, it } from '@jest/globals'
import { ConfigurationError } from '../base/errors.ts'
import { parseSources, readSourcesFile } from './read-sources-file.ts'

const EXAMPLE = new URL('../../sources.example.yaml', import.meta.url).pathname
const ENVIRONMENT: Readonly<Record<string, string>> = {
  CLICKHOUSE_URL: 'http://reader:hidden@host:8123',
  CRM_URL: 'postgres://reader:hidden@host/crm',
  MYSQL_URL: 'mysql://reader:hidden@host/shop',
  BROKEN_URL: 'https://reader:hid%den@host',
}
const variable = (name: string) => ENVIRONMENT[name]

const SHOP = ['sources:', '  shop:', '    url: $CLICKHOUSE_URL', '    databases: [shop]', '    description: What is sold']
const CRM = ['  crm:', '    url: $CRM_URL', '    schemas: [sales]', '    description: Who buys it']

/** Returns the error message for a file with these lines. */
function complaint(...lines: readonly string[]): string {
  try {
    parseSources(lines.join('\n'), 'sources.yaml', variable)
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigurationError)
    return (error as ConfigurationError).message
  }
  return ''
}

describe('sources.yaml', () => {
  it('accepts the example file', () => {
    expect(readSourcesFile(EXAMPLE, variable)).toEqual([
      {
        id: 'telemetry',
        isDefault: true,
        kind: 'clickhouse',
        url: 'http://reader:hidden@host:8123',
        urlVariable: 'CLICKHOUSE_URL',
        databases: ['network'],
        description: 'Links, devices and their measurements',
        joinKeys: [],
        privateColumns: [],
      },
      {
        id: 'crm',
        isDefault: false,
        kind: 'postgres',
        url: 'postgres://reader:hidden@host/crm',
        urlVariable: 'CRM_URL',
        databases: ['shop'],
        description: 'Customers, contracts, invoices, tickets',
        roles: ['finance'],
        joinKeys: [
          {
            left: { source: 'crm', table: 'shop.customers', column: 'id' },
            right: { source: 'telemetry', table: 'network.users', column: 'crm_id' },
          },
        ],
        privateColumns: ['customers.email'],
      },
    ])
  })

  it.each<[string, readonly string[], string]>([
    ['an empty file', [''], 'line 1: the file must begin with `sources:`'],
    ['no source', ['sources: {}'], 'line 1: sources must have a source'],
    ['a name in capitals', ['sources:', '  CRM: {url: $CRM_URL}'], 'line 2: sources.CRM must begin with a small letter'],
    ['a source twice', [...SHOP, ...SHOP.slice(1)], 'line 6, column 3: stands twice'],
    ['an unknown key', [...SHOP, '    role: a'], 'line 6: sources.shop.role is not a known key'],
    [
      'an address with a password',
      ['sources:', '  crm: {url: "postgres://reader:hidden@host", schemas: [a], description: b}'],
      'line 2: sources.crm.url must be $ and the name of an environment variable',
    ],
    [
      'a variable that is not set',
      [...SHOP, '  crm:', '    url: $CRM', ...CRM.slice(2)],
      'line 7: sources.crm.url is $CRM, which is not set',
    ],
    [
      'another kind',
      [...SHOP, '  crm:', '    url: $MYSQL_URL', ...CRM.slice(2)],
      'sources.crm.url is $MYSQL_URL, which must start with `http://`',
    ],
    [
      'a malformed address',
      ['sources:', '  a: {url: $BROKEN_URL, databases: [a], description: b}'],
      'which must be a whole address',
    ],
    [
      'databases of Postgres',
      [...SHOP, ...CRM.slice(0, 2), '    databases: [a]', ...CRM.slice(3)],
      'line 8: sources.crm.databases must be schemas',
    ],
    ['no database', [...SHOP.slice(0, 3), SHOP[4] ?? ''], 'line 2: sources.shop has no databases, such as `databases: [shop]`'],
    [
      'a table in place of a database',
      [...SHOP.slice(0, 3), '    databases: [a.b]', SHOP[4] ?? ''],
      'must be the name of one database',
    ],
    ['no description', SHOP.slice(0, 4), 'line 2: sources.shop.description is missing'],
    ['roles for nobody', [...SHOP, '    roles: []'], 'line 6: sources.shop.roles must name a role'],
    [
      'a join key of an unknown source',
      [...SHOP, ...CRM, '    join_keys: ["crn/sales.a.id = shop/shop.b.id"]'],
      'line 10: sources.crm.join_keys[0] names the source crn, which is not in the file; did you mean crm?',
    ],
    [
      'a join key of a database that is not listed',
      [...SHOP, ...CRM, '    join_keys: ["crm/sale.a.id = shop/shop.b.id"]'],
      'names crm/sale, which crm does not list; did you mean sales?',
    ],
    [
      'a join key within one source',
      [...SHOP, '    join_keys: ["shop/shop.a.id = shop/shop.b.id"]'],
      'must be two columns of two sources',
    ],
    ['a join key without a column', [...SHOP, ...CRM, '    join_keys: ["crm/sales.a = shop/shop.b.id"]'], 'must be two columns'],
  ])('names %s with its line and a remedy', (_, lines, expected) => {
    const said = complaint(...lines)
    expect(said).toContain(expected)
    expect(said).not.toContain('hidden')
  })

  it('says of an address of no kind only which kinds there are', () => {
    const said = complaint(
      ...SHOP,
      '  crm:',
      '    url: $MYSQL_URL',
      ...CRM.slice(2),
      '    join_keys: ["crm/a.b.id = shop/shop.b.id"]',
    )
    expect(said).toContain('must start with `http://`, `https://`, `chdb:`, `postgres://` or `postgresql://`')
    expect(said).toContain('names crm/a, which crm does not list; there is only sales')
    expect(said.match(/^- line/gm)).toHaveLength(2)
  })

  it('names all mistakes at once', () => {
    const said = complaint(...SHOP, '    roles: []', ...CRM, '    join_keys: [a]')
    expect(said.match(/^- line/gm)).toHaveLength(2)
  })

  it('names its variable if the file is missing', () => {
    expect(() => readSourcesFile('/nowhere/sources.yaml', variable)).toThrow('CLEW_SOURCES_FILE is /nowhere/sources.yaml')
  })
})
