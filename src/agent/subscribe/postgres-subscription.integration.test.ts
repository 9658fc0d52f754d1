import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { AnalystSuite, classified, draft, plan } from '../../../test/support/analyst-suite.ts'
import type { EngineAnalystSettings } from '../../../test/support/engine-analyst.ts'
import { type PostgresServer, runSql, startPostgres } from '../../../test/support/postgres.ts'
import { createLogger } from '../../base/logger.ts'
import { PostgresCatalog } from '../../postgres/catalog/postgres-catalog.ts'
import { PostgresConnections } from '../../postgres/connection.ts'
import { PostgresSqlGuard } from '../../postgres/guard/postgres-sql-guard.ts'
import { PostgresWarehouse } from '../../postgres/postgres-warehouse.ts'
import { PostgresQueryValidator } from '../../postgres/validation/postgres-query-validator.ts'
import { createMemoryStateStore } from '../../store/memory-state-store.ts'
import { newRunId } from '../run/id.ts'
import type { Subscribe, SubscriptionDraft } from './frozen-plan.ts'

const QUESTION = 'Which tickets are open?'
const understood = {
  kind: 'alert',
  question: QUESTION,
  schedule: { unit: 'days', every: 1, at: ['08:30'] },
  condition: { kind: 'appears' },
}
const suite = new AnalystSuite({
  defaults: {
    classify: () => classified({ intent: 'subscription', standalone_question: null }),
    decompose: () => plan(QUESTION),
    subscribe: () => understood,
    synthesize: () => 'Some are open [Q1].',
  },
})
const logger = createLogger({ level: 'silent' })
let server: PostgresServer
let connections: PostgresConnections
let parts: Partial<EngineAnalystSettings>

beforeAll(async () => {
  server = await startPostgres()
  await runSql(
    server.adminUrl,
    `CREATE TABLE tickets (id int PRIMARY KEY, subject text NOT NULL, opened timestamptz NOT NULL, changed timestamptz NOT NULL);
     INSERT INTO tickets VALUES (1, 'Door', '2026-03-01 10:00Z', '2026-03-04 10:00Z'), (2, 'Roof', '2026-03-03 10:00Z', '2026-03-05 10:00Z')`,
  )
  await runSql(server.adminUrl, 'GRANT SELECT ON tickets TO PUBLIC')
  connections = new PostgresConnections(server.url)
  const guard = new PostgresSqlGuard({ connections })
  const limits = { maxBytes: 1_000_000, timeoutMs: 10_000 }
  const warehouse = new PostgresWarehouse({
    connections,
    ...limits,
    recheck: (client, sql) => guard.recheck(client, sql),
    logger,
  })
  const store = createMemoryStateStore({ now: Date.now })
  parts = {
    ...{ warehouse, guard, dialect: 'postgres', databases: ['public'] },
    validatorOn: reader => new PostgresQueryValidator({ warehouse: reader, maxRows: 100 }),
    schemaSource: new PostgresCatalog({ connections, store, logger }, { schemas: ['public'], privateColumns: [] }),
  }
}, 60_000)
afterAll(async () => {
  await connections.close()
  await server.stop()
})

/** Sets up an alert about this SQL. */
async function make(sql: string) {
  suite.script = { generate: () => draft(sql) }
  const { ask } = await suite.open(parts)
  const kept: SubscriptionDraft[] = []
  const subscribe: Subscribe = { keep: async each => kept.push(each), revised: async () => undefined }
  const runId = newRunId()
  const asked = await ask('Tell me of new open tickets.', { runId, subscribe, askPerson: async () => undefined })
  const choice = { value: 'set_up', steps: asked.waiting }
  if (asked.result.interrupt !== null) await ask('Tell me of new open tickets.', { runId, subscribe, choice })
  return { answer: asked.result.answer, frozen: kept[0], ask }
}

it('is frozen in Postgres with what tells its rows apart, and reads as of the due time', async () => {
  const sql = `SELECT id, subject, changed, extract(day FROM age(opened)) AS days -- it's of today\r
    FROM public.tickets WHERE subject <> '\\' AND opened < now() AND changed >= current_date - 1 ORDER BY id`
  const { frozen, ask } = await make(sql)
  if (frozen === undefined) throw new Error('nothing was kept')
  expect(frozen.plan.queries[0]?.key).toEqual([0])
  const standing = { ...frozen, language: 'en', watched: null, last: [], gateRow: null } as const
  const rowsAt = async (due: string) => {
    const { result } = await ask(QUESTION, { standing: { ...standing, due: Date.parse(due) } })
    return result.queries[0]?.rows.map(([id, , , days]) => [id, Number(days)])
  }
  expect(await rowsAt('2026-03-02T08:30:00Z')).toEqual([[1, 0]])
  expect(await rowsAt('2026-03-05T08:30:00Z')).toEqual([
    [1, 3],
    [2, 1],
  ])
  expect(await rowsAt('2026-03-06T08:30:00Z')).toEqual([[2, 2]])
})

it('is refused in Postgres with a clock that does not move', async () => {
  const { answer, frozen } = await make("SELECT id FROM public.tickets WHERE opened >= 'yesterday'::date")
  expect(frozen).toBeUndefined()
  expect(answer).toContain(
    "the query reads the clock by `'yesterday'`. Add to your question: “count from now() or current_date”.",
  )
})
