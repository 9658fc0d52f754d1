import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { z } from 'zod'
import { toAccessXml } from '../../../test/support/access-xml.ts'
import { canonicalStatements } from '../../../test/support/canonical-statements.ts'
import { type GrantedServer, startGrantedServer } from '../../../test/support/granted-server.ts'
import { readStatements } from '../../../test/support/statements.ts'
import { createLogger } from '../../base/logger.ts'
import { createMemoryStateStore } from '../../store/memory-state-store.ts'
import { scopeOfSchema } from '../../warehouse/scope-of-schema.ts'
import type { GuardScope } from '../../warehouse/sql-guard.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import { SchemaCatalog } from '../catalog/schema-catalog.ts'
import { CLICKHOUSE_LIMITS } from '../limits.ts'
import { openWarehouse } from '../open-warehouse.ts'
import { EngineSqlGuard } from './engine-sql-guard.ts'

const PRIVATE = [
  ...['people.email', 'people.phone', 'people.extra', 'people.address', 'people.contact.value', '_log.pin'],
  ...['badges.🔑', 'badges.doc', 'badges.dyn'],
]
/** Grants for exactly the columns that the guard allows in this test. A grant covers whole columns only, never a subcolumn. */
const GRANTS = [
  'GRANT SELECT(id, name, country, tags, secrets, `contact.kind`, initial) ON hr.people TO clew_questions',
  'GRANT SELECT ON hr.teams TO clew_questions',
  'GRANT SELECT(id, _source) ON hr._log TO clew_questions',
  'GRANT SELECT(id, note, open) ON hr.badges TO clew_questions',
  'GRANT SHOW COLUMNS ON hr.badges TO clew_questions',
  'GRANT SHOW COLUMNS ON hr._log TO clew_questions',
  'GRANT SELECT ON hr.roster TO clew_questions',
  // This right makes the schema list even the columns that the user may not read.
  'GRANT SHOW COLUMNS ON hr.people TO clew_questions',
]
const caseSchema = z.object({ id: z.string(), sql: z.string(), expect: z.enum(['allow', 'reject']), why: z.string() })
const cases = readFileSync(new URL('../../../test/cases/sql-guard-columns.jsonl', import.meta.url), 'utf8')
  .split('\n')
  .filter(line => line !== '')
  .map(line => caseSchema.parse(JSON.parse(line)))
const ofKind = (kind: 'allow' | 'reject') => cases.filter(one => one.expect === kind)

let server: GrantedServer
let warehouse: Warehouse
let guard: EngineSqlGuard
let scope: GuardScope
const signal = AbortSignal.timeout(180_000)
const logger = createLogger({ level: 'silent' })

beforeAll(async () => {
  const reader = (await canonicalStatements('deploy/clickhouse/reader.sql')).filter(statement => !/^GRANT SELECT/.test(statement))
  const world = readStatements(new URL('../../../test/cases/column-world.sql', import.meta.url))
  const { xml } = toAccessXml([...reader, ...GRANTS], { user: 'clew_reader' })
  server = await startGrantedServer({ world, usersXml: xml })
  const { maxBytes, timeoutMs } = CLICKHOUSE_LIMITS.query
  warehouse = await openWarehouse({ url: server.url, database: 'hr', maxBytes, timeoutMs, logger }, signal)
  const store = createMemoryStateStore({ now: Date.now })
  const catalog = new SchemaCatalog({ warehouse, store, logger }, { databases: ['hr'], privateColumns: PRIVATE })
  scope = scopeOfSchema(await catalog.load(signal), ['hr'])
  await catalog.close()
  guard = new EngineSqlGuard({ warehouse })
})

afterAll(async () => {
  await warehouse?.close()
  await server?.close()
})

describe('columns that nobody may read', () => {
  it('are the marked ones, and those computed from them', () => {
    expect([...scope.tables].sort()).toEqual(['hr._log', 'hr.badges', 'hr.people', 'hr.roster', 'hr.teams'])
    expect([...(scope.columns?.get('hr.people')?.restricted ?? [])].sort()).toEqual([
      'address',
      'contact.value',
      'email',
      'extra',
      'mail_domain',
      'phone',
    ])
  })

  it.each(ofKind('reject'))('$id, $why: refused', async ({ sql }) => {
    const verdict = await guard.check(sql, scope, signal)
    if (verdict.verdict === 'allow') throw new Error(`allowed: ${verdict.canonical}`)
    expect(verdict.code).toBe('out_of_scope')
  })

  it.each(ofKind('allow'))('$id, $why: allowed, and the server allows it under exact grants', async ({ sql }) => {
    const verdict = await guard.check(sql, scope, signal)
    if (verdict.verdict === 'reject') throw new Error(`refused: ${verdict.message}`)
    expect((await warehouse.read({ sql: verdict.canonical }, signal)).columns.length).toBeGreaterThan(0)
  })

  it.each([
    ['SELECT * EXCEPT (`🔑`, doc, dyn) FROM badges', 'SELECT COLUMNS(`id`, `note`, `open`) EXCEPT (`🔑`, doc, dyn) FROM badges'],
    ["SELECT p.COLUMNS('^n'), count(*) OVER () FROM people AS p", 'SELECT p.COLUMNS(`name`), count(*) OVER () FROM people AS p'],
    [
      'SELECT t.*, b.* EXCEPT (`🔑`, doc, dyn) APPLY(toString), 2 * b.id FROM badges AS b JOIN teams AS t ON t.id = b.id',
      'SELECT t.*, b.COLUMNS(`id`, `note`, `open`) EXCEPT (`🔑`, doc, dyn) APPLY toString, 2 * b.id FROM badges AS b INNER JOIN teams AS t ON t.id = b.id',
    ],
    ['SELECT * FROM teams', 'SELECT * FROM teams'],
  ])('%s runs with the checked columns: one that is added meanwhile is not read', async (sql, canonical) => {
    const verdict = await guard.check(sql, scope, signal)
    expect(verdict).toMatchObject({ verdict: 'allow', canonical })
    const [original, run] = await Promise.all([sql, canonical].map(one => warehouse.read({ sql: one }, signal)))
    expect(run?.columns).toEqual(original?.columns)
  })

  it.each([
    'SELECT * EXCEPT (`🔑`, doc, dyn) FROM badges AS b JOIN teams AS t ON t.id = b.id',
    "SELECT COLUMNS('^[n]') FROM badges",
  ])('%s is refused, since its meaning is uncertain', async sql => {
    expect(await guard.check(sql, scope, signal)).toMatchObject({ code: 'out_of_scope' })
  })

  it.each([
    ['SELECT email FROM people', 'Column email of people may not be read: it is private. Leave it out, also of conditions.'],
    [
      'SELECT upper(name) AS email, count() FROM people GROUP BY email',
      'Column email of people may not be read: it is private, and the alias email could be taken for it. Give the alias another name.',
    ],
    [
      'SELECT * FROM people',
      'This reads every column, and column email of people may not be read: it is private. Name the columns that you need, or write * EXCEPT (email, phone, extra, address, mail_domain).',
    ],
    [
      'SELECT id, _partition_value.2 FROM people',
      '_partition_value is no column of people that may be read: the engine’s own columns may have names and values that are private. Leave it out; an alias or a parameter must not begin with an underscore here.',
    ],
    [
      'SELECT count() FROM people NATURAL JOIN teams',
      'NATURAL JOIN compares every column of the same name, and column email of people may not be read: it is private. Write JOIN … USING (…).',
    ],
  ])('%s is refused with helpful advice', async (sql, message) => {
    expect(await guard.check(sql, scope, signal)).toEqual({ verdict: 'reject', code: 'out_of_scope', message })
  })
})
