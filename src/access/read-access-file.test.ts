import { describe, expect, it } from '@jest/globals'
import { ConfigurationError } from '../base/errors.ts'
import { PLATFORM_REGISTRY } from '../main/platform-registry.ts'
import { parseAccess, readAccessFile } from './read-access-file.ts'

const EXAMPLE = new URL('../../access.example.yaml', import.meta.url).pathname

/** Returns the error message for a file with these lines. */
function complaint(...lines: readonly string[]): string {
  try {
    parseAccess(lines.join('\n'), 'access.yaml', PLATFORM_REGISTRY)
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigurationError)
    return (error as ConfigurationError).message
  }
  return ''
}

const ROLE = ['version: 1', 'roles:', '  viewer:', '    tables: [shop.orders]']
const SLACK = [...ROLE, 'workspaces:', '  - platform: slack', '    workspace: T024BE7LD']

describe('access.yaml', () => {
  it('accepts the example file', async () => {
    const policy = await readAccessFile(EXAMPLE, PLATFORM_REGISTRY)
    expect(policy.defaultRole).toBe('viewer')
    expect(policy.roles.get('finance')).toEqual({
      grant: { tables: ['shop.*', 'finance.*'], except: ['finance.salaries'] },
      clickhouseRole: 'clew_finance',
      mayPublish: true,
    })
    const [slack, discord] = policy.workspaces
    expect(slack?.groups.get('S0614TZR7')).toEqual(['finance'])
    expect(discord?.users.get('80351110224678912')).toEqual(['finance', 'viewer'])
  })

  it('keeps the last digits of an id that is too long for a number', () => {
    const policy = parseAccess(
      [
        ...ROLE,
        'workspaces:',
        '  - platform: discord',
        '    workspace: 197038439483310087',
        '    users: {80351110224678913: viewer}',
      ].join('\n'),
      'access.yaml',
      PLATFORM_REGISTRY,
    )
    expect(policy.workspaces[0]?.workspace).toBe('197038439483310087')
    expect([...(policy.workspaces[0]?.users.keys() ?? [])]).toEqual(['80351110224678913'])
  })

  it.each<[string, readonly string[], string]>([
    ['an empty file', [''], 'line 1: the file must begin with `version: 1`'],
    ['no YAML', ['version: [1'], 'line 1, column 12'],
    ['another version', ['version: 2', 'roles: {}'], 'line 1: version must be 1'],
    [
      'an unknown role, near to one',
      [...ROLE, 'default: vewer'],
      'line 5: default gives the role "vewer", which is not under roles; did you mean viewer?',
    ],
    [
      'an unknown role, near to none',
      [...SLACK, '    users:', '      U012: boss'],
      'line 9: workspaces[0].users.U012 gives the role "boss", which is not under roles; there is only viewer',
    ],
    ['an unknown key', [...ROLE, '    tabels: []'], 'line 5: roles.viewer.tabels is not a known key'],
    [
      'a table without its database',
      ['version: 1', 'roles:', '  viewer:', '    tables: [orders]'],
      'line 4: roles.viewer.tables[0] must be database.table',
    ],
    [
      'everything, unquoted',
      ['version: 1', 'roles:', '  viewer:', '    tables: [*.*]'],
      'line 4, column 14: a table that begins with * must be quoted',
    ],
    ['a role without tables', ['version: 1', 'roles:', '  viewer: {tables: []}'], 'roles.viewer.tables must name a table'],
    ['a role twice', [...ROLE, '  viewer:', '    tables: [shop.users]'], 'line 5, column 3: stands twice: put both together'],
    ['a list as a key', [...ROLE, '? [a]', ': b'], 'a key must be a text'],
    ['lists in lists without end', [`roles: ${'['.repeat(8_000)}`], 'it is nested too deep'],
    ['items in items without end', ['roles:', '- '.repeat(8_000)], 'it is nested too deep'],
    [
      'a workspace twice',
      [...SLACK, '  - platform: slack', '    workspace: T024BE7LD'],
      'line 8: workspaces[1] is slack/T024BE7LD once more',
    ],
    [
      'a name in place of an id',
      [...SLACK, '    users:', '      alice: viewer'],
      'line 9: workspaces[0].users.alice is not an id of slack',
    ],
    [
      'a server role for some roles only',
      [...ROLE, '    clickhouse_role: clew_viewer', '  other: {tables: [a.b]}'],
      'line 6: roles.other has no clickhouse_role',
    ],
    ['a malformed truth value', [...ROLE, '    publish: yes'], 'roles.viewer.publish must be true or false'],
  ])('names %s with its line and a remedy', (_, lines, expected) => {
    expect(complaint(...lines)).toContain(expected)
  })

  it('names all mistakes at once', () => {
    const said = complaint(...SLACK, '    users: {alice: viewer}', '    groups: {S012: boss}', 'default: none')
    expect(said.match(/^- line/gm)).toHaveLength(3)
  })

  it('names its variable if the file is missing', async () => {
    await expect(readAccessFile('/nowhere/access.yaml', PLATFORM_REGISTRY)).rejects.toThrow(
      'CLEW_ACCESS_FILE is /nowhere/access.yaml',
    )
  })
})

describe('access.yaml with several sources', () => {
  const SOURCES = [
    { id: 'telemetry', isDefault: true },
    { id: 'crm', isDefault: false, roles: ['finance'] },
    { id: 'erp', isDefault: false },
  ]
  const policyOf = (...lines: readonly string[]) =>
    parseAccess(['version: 1', 'roles:', ...lines].join('\n'), 'access.yaml', PLATFORM_REGISTRY, SOURCES)
  const FINANCE = '  finance: {tables: ["*/*.*"]}'
  const grantOf = (name: string, ...lines: readonly string[]) => policyOf(FINANCE, ...lines).roles.get(name)?.grant

  it('leaves a source out of the roles that may not use it', () => {
    expect(grantOf('finance')).toEqual({ tables: ['*/*.*'], except: [] })
    expect(grantOf('viewer', '  viewer: {tables: ["*/*.*"]}')).toEqual({ tables: ['*/*.*'], except: ['crm/*.*'] })
    expect(grantOf('viewer', '  viewer: {tables: [shop.*, erp/shop.*]}')).toEqual({
      tables: ['shop.*', 'erp/shop.*'],
      except: [],
    })
  })

  it('reads the name of the default source as no name', () => {
    expect(grantOf('viewer', '  viewer: {tables: [telemetry/network.*], except: [telemetry/network.a]}')).toEqual({
      tables: ['network.*'],
      except: ['network.a'],
    })
  })

  it('keeps rows of all sources apart by all server roles', () => {
    const role = '{tables: ["*/*.*"], clickhouse_role: eu, server_roles: {crm: reader_eu}, own_rows: true}'
    expect(policyOf(`  finance: ${role}`).roles.get('finance')).toMatchObject({
      grant: { rows: 'crm/reader_eu eu' },
      clickhouseRole: 'eu',
      serverRoles: ['crm/reader_eu'],
    })
  })

  it.each<[string, string, string]>([
    [
      'an unknown source',
      '{tables: [crn/shop.a]}',
      'roles.viewer.tables[0] names the source crn, which CLEW_SOURCES_FILE does not have; did you mean crm?',
    ],
    ['a source of other roles', '{tables: [crm/shop.a]}', 'names the source crm, whose roles in CLEW_SOURCES_FILE are finance'],
    ['a server role of an unknown source', '{tables: [a.b], server_roles: {crn: x}}', 'server_roles.crn is not a source'],
    ['a server role of the default source', '{tables: [a.b], server_roles: {telemetry: x}}', 'write its role as clickhouse_role'],
    ['a server role for some only', '{tables: [erp/a.b], server_roles: {erp: x}}', 'roles.finance has no server role for erp'],
  ])('names %s', (_, role, expected) => {
    expect(() => policyOf(FINANCE, `  viewer: ${role}`)).toThrow(expected)
  })

  it('names a source whose role does not exist', () => {
    expect(() => policyOf('  finances: {tables: [a.b]}')).toThrow(
      'CLEW_SOURCES_FILE limits the source crm to the role "finance", which access.yaml does not have. Did you mean finances?',
    )
  })

  it('names every source where there is only one', () => {
    expect(complaint(...ROLE.slice(0, 3), '    tables: [crm/shop.a]')).toContain('but CLEW_SOURCES_FILE is not set')
  })
})
