import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it, jest } from '@jest/globals'
import { startTestEngine, type TestEngine } from '../../test/support/engine.ts'
import { createLogger } from '../base/logger.ts'
import { SchemaCatalog } from '../clickhouse/catalog/schema-catalog.ts'
import { createMemoryStateStore } from '../store/memory-state-store.ts'
import { JobRegistry } from './jobs/registry.ts'
import { JobStore } from './jobs/store.ts'
import { OperationLog } from './log/operation-log.ts'
import { Pipelines } from './pipelines.ts'
import { StateDatabase } from './state-database.ts'
import { PipelineTables } from './tables.ts'

jest.setTimeout(120_000)

const MIGRATIONS = fileURLToPath(new URL('../../migrations', import.meta.url))
const signal = new AbortController().signal
const logger = createLogger({ level: 'silent' })

let test: TestEngine
let pipelines: Pipelines

beforeAll(async () => {
  test = await startTestEngine()
  const state = new StateDatabase(test.warehouse, 'clew')
  const tables = new PipelineTables(test.warehouse, 'pipelines')
  let ids = 0
  pipelines = new Pipelines({
    warehouse: test.warehouse,
    registry: new JobRegistry({ state, now: Date.now }),
    jobs: new JobStore(state),
    log: new OperationLog(state),
    tables,
    preservation: 'FULL',
    newJobId: () => {
      ids += 1
      return `job_${ids}`
    },
    now: Date.now,
    logger,
  })
  await tables.createDatabase(signal)
  await state.migrate(MIGRATIONS, Date.now, signal)
  for (const sql of [
    'CREATE DATABASE hr',
    'CREATE TABLE hr.people (id UInt32, email String, host String MATERIALIZED domain(email), city String) ENGINE = MergeTree ORDER BY id',
    "INSERT INTO hr.people (id, email, city) VALUES (1, 'ann@a.example', 'Bonn'), (2, 'bert@b.example', 'Bonn')",
  ])
    await test.warehouse.write({ sql }, signal)
  await runJob(`
name: people
description: Copies.
inputs: { people: { source: "SELECT *, host FROM hr.people" } }
operations:
  - { name: renamed, sql: "SELECT id, lower(email) AS contact, host AS company, city FROM {{ people }}" }
  - { name: named, sql: "SELECT id, contact, company, city, if(contact LIKE 'a%', 1, 0) AS is_early FROM {{ renamed }} WHERE contact != ''" }
target: { operation: named, table: staff }
ttl_hours: 1
`)
  await runJob(`
name: cities
description: From what another job has published.
inputs: { staff: { table: staff } }
operations:
  - { name: counted, sql: "SELECT city, count() AS people, any(contact) AS one, uniq(company) AS companies FROM {{ staff }} GROUP BY city" }
target: { operation: counted, table: staff_cities }
ttl_hours: 1
`)
  await runJob(`
name: merged
description: Of what no lineage tells.
inputs: { all: { source: "SELECT id, city FROM merge('hr', 'people')" }, none: { source: "SELECT number AS n FROM numbers(3)" } }
operations: [{ name: both, sql: "SELECT a.id AS id, n.n AS n FROM {{ all }} AS a, {{ none }} AS n" }]
target: { operation: both, table: merged }
ttl_hours: 1
`)
})
afterAll(() => test.close())

async function runJob(yaml: string): Promise<void> {
  const { name } = await pipelines.register(yaml, signal)
  const { id } = await pipelines.create(name, {}, signal)
  expect(await pipelines.run(id, {}, signal)).toMatchObject({ status: 'COMPLETED' })
}

/** For each table, returns its private columns, and the columns with statistics. */
async function columnsBy(privateColumns: readonly string[]) {
  const catalog = new SchemaCatalog(
    { warehouse: test.warehouse, store: createMemoryStateStore({ now: Date.now }), logger },
    { databases: ['pipelines'], privateColumns, firstMomentMs: 60_000 },
  )
  const { tables } = await catalog.load(signal)
  await catalog.close()
  return Object.fromEntries(
    tables.map(({ name, columns }) => [
      name,
      {
        private: columns.filter(({ isPrivate }) => isPrivate).map(column => column.name),
        shown: columns.filter(({ statistics }) => statistics !== undefined).map(column => column.name),
      },
    ]),
  )
}

it("marks every copy of a private column in a pipeline's table, however it was made", async () => {
  expect(await columnsBy(['hr.people.email'])).toEqual({
    p_people: { private: ['email', 'host'], shown: ['id', 'city'] },
    staff: { private: ['contact', 'company', 'is_early'], shown: ['id', 'city'] },
    staff_cities: { private: ['one', 'companies'], shown: ['city', 'people'] },
    // `merge()` may read any table, so all columns of `p_all` count as private.
    p_all: { private: ['id', 'city'], shown: [] },
    p_none: { private: [], shown: ['n'] },
    merged: { private: ['id'], shown: ['n'] },
  })
})

it("follows today's marks", async () => {
  expect(await columnsBy([])).toMatchObject({ staff: { private: [] }, merged: { private: [] } })
  expect(await columnsBy(['people.city'])).toMatchObject({ staff: { private: ['city'] }, staff_cities: { private: ['city'] } })
})

it('treats all columns of a table without origins in its mark as private', async () => {
  const mark = '{"clew_job":"job_0","job_name":"old","part":"target:old"}'
  const sql = `CREATE TABLE pipelines.old ENGINE = MergeTree ORDER BY tuple() COMMENT '${mark}' AS SELECT 1 AS a`
  await test.warehouse.write({ sql }, signal)
  expect(await columnsBy(['hr.people.email'])).toMatchObject({ old: { private: ['a'], shown: [] } })
  expect(await columnsBy([])).toMatchObject({ old: { private: [], shown: ['a'] } })
})
