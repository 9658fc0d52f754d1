import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { toAccessXml } from '../../test/support/access-xml.ts'
import { canonicalStatements } from '../../test/support/canonical-statements.ts'
import { type GrantedServer, startGrantedServer } from '../../test/support/granted-server.ts'
import { type CheckResult, runCheck } from '../base/check.ts'
import { createLogger } from '../base/logger.ts'
import { PLATFORM_REGISTRY } from '../main/platform-registry.ts'
import { checkAccess } from './check-access.ts'
import type { PeopleDirectory } from './people-directory.ts'

const WORLD = [
  'CREATE DATABASE shop',
  ...['orders', 'products', 'salaries'].map(name => `CREATE TABLE shop.${name} (id UInt64) ENGINE = MergeTree ORDER BY id`),
]
const ROLES = [
  'CREATE ROLE clew_sales',
  'GRANT SELECT ON shop.orders TO clew_sales',
  'GRANT SELECT ON shop.salaries TO clew_sales',
  'CREATE ROLE clew_all',
  'GRANT SELECT ON shop.* TO clew_all',
  'GRANT clew_sales TO clew_reader',
  'GRANT clew_all TO clew_reader',
]
const signal = AbortSignal.timeout(120_000)
let server: GrantedServer
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'clew-check-access-'))
  const statements = [...(await canonicalStatements('deploy/clickhouse/reader.sql')), ...ROLES]
  server = await startGrantedServer({ world: WORLD, usersXml: toAccessXml(statements, { user: 'clew_reader' }).xml })
})
afterAll(async () => {
  await server?.close()
  await rm(folder, { recursive: true, force: true })
})

async function check(
  rules: string | undefined,
  more: { readonly url?: string; readonly slack?: (group: string) => Promise<readonly string[]> } = {},
): Promise<Readonly<Record<string, Omit<CheckResult, 'part' | 'check'>>>> {
  const file = join(folder, 'access.yaml')
  if (rules !== undefined) await writeFile(file, rules)
  const { url = server.url, slack } = more
  const people: Readonly<Record<string, PeopleDirectory>> =
    slack === undefined
      ? {}
      : {
          slack: {
            groups: { by: 'group', needs: 'It takes usergroups:read.', membersOf: slack },
            channelMembers: async () => undefined,
          },
        }
  const options = {
    file: rules === undefined ? undefined : file,
    url,
    sources: undefined,
    databases: ['shop'],
    maxBytes: 1e7,
    people,
  }
  const results = await runCheck(
    { part: 'access', timeoutMs: 20_000, advice: 'Look.' },
    (report, ended) =>
      checkAccess({ ...options, platforms: PLATFORM_REGISTRY, logger: createLogger({ level: 'silent' }) }, report, ended),
    signal,
  )
  return Object.fromEntries(results.map(({ part: _, check: name, ...result }) => [name, result]))
}

const RULES = (...roles: readonly string[]) => ['version: 1', 'roles:', ...roles.map(role => `  ${role}`)].join('\n')

describe('checkAccess', () => {
  it('says that everybody may ask about everything if there are no rules', async () => {
    expect((await check(undefined)).rules).toMatchObject({ state: 'not_configured' })
  })

  it('finds nothing wrong if rules, tables and roles agree', async () => {
    const results = await check(RULES('all: {tables: [shop.*], clickhouse_role: clew_all}'))
    expect(Object.values(results).map(({ state }) => state)).toEqual(['ok', 'ok', 'ok'])
  })

  it('names patterns that fit no table, and warns most about exceptions', async () => {
    const { tables } = await check(RULES('some: {tables: [shop.*, shop.ordrs], except: [shop.salarys]}'))
    expect(tables).toMatchObject({ state: 'warning', found: 'no table fits some: shop.ordrs, some: shop.salarys' })
    expect(tables?.advice).toContain('Did you mean orders or salaries?')
  })

  it('compares the rights of a server role with the rules', async () => {
    const { 'role sales': sales } = await check(RULES('sales: {tables: [shop.orders], clickhouse_role: clew_sales}'))
    expect(sales).toMatchObject({ state: 'warning', found: 'clew_sales may also read shop.salaries' })
    const { 'role more': more } = await check(RULES('more: {tables: [shop.*], clickhouse_role: clew_sales}'))
    expect(more).toMatchObject({ state: 'warning', found: 'clew_sales may not read shop.products' })
  })

  it('fails for a role that the reader lacks, and on the embedded engine, which has no roles', async () => {
    const rules = RULES('all: {tables: [shop.*], clickhouse_role: clew_none}')
    const { 'role all': missing } = await check(rules)
    expect(missing).toMatchObject({ state: 'failed', advice: expect.stringContaining('GRANT clew_none TO') })
    const { 'role all': embedded } = await check(rules, { url: 'chdb:memory' })
    expect(embedded).toMatchObject({ state: 'failed', advice: expect.stringContaining('knows no roles') })
  })

  it('asks for the members of each group', async () => {
    const rules = `${RULES('all: {tables: [shop.*]}')}\nworkspaces:\n  - {platform: slack, workspace: T01, groups: {S0A: all, S0B: all}}`
    const slack = async (group: string) => (group === 'S0A' ? ['U1'] : [])
    expect((await check(rules, { slack }))['groups of slack/T01']).toMatchObject({ state: 'warning', found: 'nobody is in S0B' })
    const away = () => Promise.reject(new Error('missing_scope'))
    expect((await check(rules, { slack: away }))['groups of slack/T01']).toMatchObject({
      state: 'failed',
      advice: expect.stringContaining('usergroups:read'),
    })
  })
})
