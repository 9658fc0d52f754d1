import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { startTestEngine, type TestEngine } from '../../../test/support/engine.ts'
import { runClew } from '../../../test/support/run-clew.ts'

const SHOP = 'shop: {url: $SHOP_URL, databases: [shop], description: What is sold}'
const CRM = 'crm: {url: $CRM_URL, databases: [sales], description: Who buys it}'
const ACCESS = 'version: 1\nroles: {finance: {tables: [crm/sales.*]}}'
let engine: TestEngine
let folder: string

beforeAll(async () => {
  const signal = AbortSignal.timeout(60_000)
  folder = await mkdtemp(join(tmpdir(), 'clew-sources-'))
  engine = await startTestEngine()
  await engine.warehouse.write({ sql: 'CREATE DATABASE shop' }, signal)
  await engine.warehouse.write({ sql: 'CREATE TABLE shop.orders (id UInt64) ENGINE = MergeTree ORDER BY id' }, signal)
})
afterAll(async () => {
  await engine?.close()
  await rm(folder, { recursive: true, force: true })
})

async function sources(flags: readonly string[], ...written: readonly string[]) {
  const [file, access] = [join(folder, 'sources.yaml'), join(folder, 'access.yaml')]
  await writeFile(file, ['sources:', ...written.map(line => `  ${line}`)].join('\n'))
  await writeFile(access, ACCESS)
  const addresses = { SHOP_URL: engine.url, CRM_URL: 'http://reader:hidden@127.0.0.1:1' }
  return runClew(['sources', ...flags], { CLEW_SOURCES_FILE: file, CLEW_ACCESS_FILE: access, ...addresses })
}

describe('clew sources', () => {
  it('lists a source with its tables, as text and as JSON', async () => {
    const { status, output } = await sources([], SHOP)
    expect([status, output]).toEqual([0, expect.stringMatching(/shop\W+clickhouse\W+1\W+by their tables\W+reachable/)])
    expect(JSON.parse((await sources(['--json'], SHOP)).output)).toEqual({
      sources: [
        {
          id: 'shop',
          kind: 'clickhouse',
          default: true,
          state: 'reachable',
          error: null,
          tables: ['shop.orders'],
          roles: null,
        },
      ],
    })
  })

  it('says why a source cannot be reached, beside those that can', async () => {
    const { status, output } = await sources(['--json'], SHOP, CRM.replace('}', ', roles: [finance]}'))
    expect(status).toBe(1)
    expect(JSON.parse(output)).toMatchObject({
      sources: [
        { id: 'shop', state: 'reachable' },
        { id: 'crm', state: 'unreachable', error: expect.stringContaining('ECONNREFUSED'), tables: null, roles: ['finance'] },
      ],
    })
    expect(output).not.toContain('hidden')
  })

  it('lists the ClickHouse of CLICKHOUSE_URL without the file', async () => {
    const { status, output } = await runClew(['sources'], { CLICKHOUSE_URL: engine.url, CLICKHOUSE_DATABASE: 'shop' })
    expect([status, output]).toEqual([0, expect.stringMatching(/default\W+clickhouse\W+1\W+by their tables\W+reachable/)])
    expect(await runClew(['sources'], {})).toMatchObject({ status: 2, errors: expect.stringMatching(/^No warehouse is/) })
  })
})
