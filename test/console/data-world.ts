import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getRequestListener } from '@hono/node-server'
import { DirectReads } from '../../src/agent/direct-reads.ts'
import { Resources } from '../../src/base/lifecycle.ts'
import { createLogger } from '../../src/base/logger.ts'
import { packageFile } from '../../src/base/package-files.ts'
import { ConsoleApp } from '../../src/console/app.ts'
import { addDataRoutes } from '../../src/console/data-routes.ts'
import { createPageApp } from '../../src/console/page-files.ts'
import { addSessionRoutes } from '../../src/console/session-routes.ts'
import { Callers } from '../../src/http/callers.ts'
import { Sessions } from '../../src/http/sessions.ts'
import { Tokens } from '../../src/http/tokens.ts'
import { wireAccess } from '../../src/main/access.ts'
import { openParts } from '../../src/main/assemble.ts'
import { readConfig } from '../../src/main/config.ts'
import { wireReads } from '../../src/main/parts.ts'
import { wireFeedback, wireProposals } from '../../src/main/store.ts'
import { createRedisStateStore } from '../../src/store/redis/state-store.ts'
import { startTestEngine } from '../support/engine.ts'
import { startTestRedis } from '../support/redis.ts'
import { TEST_STATE_KEY } from '../support/state-key.ts'

const ACCESS = `version: 1
roles:
  definer: { tables: ["shop.*"], define: true }
  narrow: { tables: [shop.orders], define: true }
  asker: { tables: [shop.orders] }
`
const TABLES = [
  'CREATE DATABASE shop',
  `CREATE TABLE shop.customers (id UInt32, name String, email String COMMENT 'how to reach them') ENGINE = MergeTree ORDER BY id COMMENT 'Everyone who has bought'`,
  `CREATE TABLE shop.orders (id UInt32, customer_id UInt32, city String, status String, amount UInt32, iban String) ENGINE = MergeTree ORDER BY id COMMENT 'Orders <img src=x onerror=alert(1)>'`,
  `INSERT INTO shop.customers SELECT number, concat('C', toString(number)), concat(toString(number), '@x.example') FROM numbers(40)`,
  `INSERT INTO shop.orders SELECT number, number % 40, ['Oslo', 'Bergen'][number % 2 + 1], ['paid', 'open'][number % 2 + 1], number, 'NO' FROM numbers(200)`,
]
const METRICS = `# Agreed with finance.
- name: turnover
  sql: sum(amount)
  from: shop.orders
  where: status = 'paid'
  grain: an order
  unit: EUR
- name: reach
  sql: count()
  from: shop.customers
  grain: a customer
  unit: customers
`
export const VERIFIED = `# Kept by Ann.
- question: How many orders are paid?
  sql: SELECT count() AS orders FROM shop.orders WHERE status = 'paid'
  verified_by: Ann
  verified_at: 2026-10-01
`

/** The console's data pages over a real engine and a real Redis, with two roles. */
export async function startDataWorld(signal: AbortSignal) {
  const folder = await mkdtemp(join(tmpdir(), 'clew-console-'))
  const file = (name: string) => join(folder, name)
  await writeFile(file('access.yaml'), ACCESS)
  await writeFile(file('metrics.yaml'), METRICS)
  await writeFile(file('verified-queries.yaml'), VERIFIED)
  await writeFile(file('glossary.yaml'), '- term: return\n  means: A row of shop.returns.\n')
  const [engine, server] = await Promise.all([startTestEngine({ database: 'shop' }), startTestRedis()])
  const write = (sql: string) => engine.warehouse.write({ sql, database: 'system' }, signal)
  for (const sql of TABLES) await write(sql)
  const redis = await server.connect()
  const store = createRedisStateStore(redis)
  const logger = createLogger({ level: 'silent' })
  const config = readConfig({
    ...{ CLICKHOUSE_URL: engine.url, CLICKHOUSE_DATABASE: 'shop', REDIS_URL: server.url, CLEW_STATE_KEY: TEST_STATE_KEY },
    ...{ CLEW_ACCESS_FILE: file('access.yaml'), CLEW_PRIVATE_COLUMNS: 'shop.orders.iban', CLEW_DOMAIN_DIR: folder },
  })
  const resources = new Resources()
  const context = { config, logger, resources, signal }
  const { policy, accessControl } = await wireAccess(context, { store, people: {} })
  const opened = await openParts(context, { store, warehouse: engine.warehouse }, signal)
  const direct = new DirectReads(await wireReads(context, opened))
  const reads = async () => direct
  const tokens = new Tokens({ redis, now: Date.now })
  const sessions = new Sessions({ redis, tokens, now: Date.now })
  const http = createServer()
  await new Promise<void>(done => http.listen(0, '127.0.0.1', done))
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`
  const callers = new Callers({ tokens, sessions, rules: { policy, accessControl }, consoleUrl: url })
  const app = new ConsoleApp({ callers, policy, logger })
  addSessionRoutes(app, { sessions, callers, reads, timeZone: 'UTC', logger })
  addDataRoutes(app, {
    evalsFolder: file('evals'),
    ...{ reads, store, domainFolder: folder, lastRunSeconds: 1_000, now: Date.now, turns: { count: async () => {} } },
    proposals: wireProposals(context, store),
  })
  const page = createPageApp(packageFile('dist', 'console'))
  http.on(
    'request',
    getRequestListener(request => (new URL(request.url).pathname.startsWith('/console/') ? app : page).fetch(request)),
  )
  const cookieOf = async (person: string, role: string) => {
    const link = await sessions.createLink(url, { person, role, lifeMs: 3_600_000 }, signal)
    const begun = await sessions.signIn(link.slice(link.indexOf('=') + 1), signal)
    return `clew_session=${begun?.secret ?? ''}`
  }
  return {
    ...{ folder, file, url, write, sessions },
    feedback: wireFeedback(context, store),
    /** Returns a client of a person who has signed in. It gives the status and the JSON of an answer. */
    async signedIn(person: string, role: 'definer' | 'narrow' | 'asker') {
      const cookie = await cookieOf(person, role)
      return async (request: string, body?: unknown) => {
        const [method = '', path = ''] = request.split(' ')
        const headers = { Cookie: cookie, 'Content-Type': 'application/json', 'Sec-Fetch-Site': 'same-origin' }
        const sent = method === 'GET' ? {} : { body: JSON.stringify(body ?? {}) }
        const response = await fetch(`${url}/console/api/data/${path}`, { method, headers, ...sent })
        const text = await response.text()
        // biome-ignore lint/suspicious/noExplicitAny: tests look into JSON of many forms
        return { status: response.status, json: (text === '' ? null : JSON.parse(text)) as any }
      }
    },
    async close() {
      await new Promise(done => http.close(done))
      await resources.close(logger)
      await server.close()
      await engine.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
