import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { VERSIONS } from '../../../test/support/postgres.ts'
import { readCases, startUnseenWorld } from '../../../test/support/postgres-guard-world.ts'
import { WarehouseError } from '../../warehouse/error.ts'

const signal = AbortSignal.timeout(300_000)

/** Cases that the guard does not decide as it should, by the reason. */
const NOT_MENDED: Readonly<Record<string, readonly string[]>> = {
  'XML is refused.': ['query-126'],
}
const isMended = ({ id }: { readonly id: string }) => !Object.values(NOT_MENDED).flat().includes(id)
const attacks = await readCases('unseen-attacks.jsonl')
const queries = await readCases('unseen-queries.jsonl')

/** Pairs of names: one is hidden, and one does not exist. */
const PAIRS = [
  ['SELECT shop.secret()', 'SELECT shop.missing()'],
  ["SELECT shop.run(q => 'x')", "SELECT shop.missing(q => 'x')"],
  ['SELECT shop.boss(c) FROM shop.customers c', 'SELECT shop.missing(c) FROM shop.customers c'],
  ['SELECT iban FROM shop.people()', 'SELECT iban FROM shop.missing()'],
  ['SELECT (shop.people()).iban', 'SELECT (shop.people()).missing'],
  ['SELECT ext.levenshtein(1)', 'SELECT nowhere.levenshtein(1)'],
  ['SELECT NULL::shop.label', 'SELECT NULL::shop.missing'],
  ["SELECT '{x}'::shop.label[]", "SELECT '{x}'::shop.missing[]"],
  ["SELECT shop._label '{x}'", "SELECT shop.missing '{x}'"],
  ["SELECT shop._label('{x}')", "SELECT shop.missing('{x}')"],
  ["SELECT 'secret_kind_a'::hr.payroll_kind", "SELECT 'secret_kind_z'::hr.payroll_kind"],
  ['SELECT (NULL::shop.salaries).person', 'SELECT (NULL::shop.salaries).missing'],
  ['SELECT name COLLATE hr.secret_order FROM shop.customers', 'SELECT name COLLATE nowhere.missing FROM shop.customers'],
  ["SELECT 'a'::text OPERATOR(shop.|||) 'b'::text", "SELECT 'a'::text OPERATOR(nowhere.||||) 'b'::text"],
  ['SELECT score::json FROM shop.orders', 'SELECT score::xml FROM shop.orders'],
  ["SELECT score || 'x' FROM shop.orders", "SELECT score - 'x' FROM shop.orders"],
  ['SELECT person FROM shop.salaries', 'SELECT missing FROM shop.salaries'],
  ['SELECT 1 FROM shop.orders JOIN shop.salaries USING (person)', 'SELECT 1 FROM shop.orders JOIN shop.salaries USING (missing)'],
  ['SELECT missing FROM shop.salaries, shop.orders shop', 'SELECT missing FROM shop.missing, shop.orders shop'],
  ['SELECT 1 FROM shop.orders_pkey', 'SELECT 1 FROM shop.orders_missing'],
] as const

/** More ways to functions that no tree names. */
const HOOKS = [
  "SELECT 'x'::text || o FROM shop.orders o",
  "SELECT 'x'::text || ROW(score) FROM shop.orders",
  'SELECT quote_literal(o) FROM shop.orders o',
  "SELECT shop._label('{x}')",
  "SELECT '{x}' :: shop . label [ ]",
  'SELECT shop.label $$x$$',
  "SELECT TREAT('x' AS shop.label)",
  "SELECT '{x}'::postgres.shop.label[]",
  "SELECT JSON_VALUE('{}', '$.a' RETURNING shop.label DEFAULT 'x' ON EMPTY)",
  'SELECT j FROM (shop.orders a JOIN shop.customers b ON true) AS j ORDER BY j',
  'SELECT to_jsonb(j) FROM (shop.orders a JOIN shop.customers b ON true) AS j',
  'WITH RECURSIVE r AS (SELECT score, 1 AS n FROM shop.orders UNION ALL SELECT score, n + 1 FROM r WHERE n < 3) CYCLE score SET c USING p SELECT n FROM r',
  'SELECT array_agg(DISTINCT ARRAY[score]) FROM shop.orders',
]

describe.each(VERSIONS)('PostgresSqlGuard and unseen cases on Postgres %i', version => {
  let world: Awaited<ReturnType<typeof startUnseenWorld>>
  beforeAll(async () => {
    world = await startUnseenWorld(version)
  })
  afterAll(() => world.stop())

  const isKnown = ({ since = 0 }: { readonly since?: number }) => since <= version
  const answerTo = (sql: string): Promise<{ readonly verdict: string; readonly message?: string }> =>
    world.guard.check(sql, world.scope, signal).catch(error => {
      if (error instanceof WarehouseError && error.kind !== 'unavailable') return { verdict: 'failed', message: error.message }
      throw error
    })

  it.each(attacks.filter(isKnown).filter(isMended))('refuses $id: $sql', async ({ sql }) => {
    const answer = await answerTo(sql)
    expect(answer.verdict).not.toBe('allow')
    expect(answer.message).not.toContain('SECRET')
  })

  it.each(HOOKS)('refuses %s', async sql => {
    const answer = await answerTo(sql)
    expect(answer.verdict).not.toBe('allow')
    expect(answer.message).not.toContain('SECRET')
  })

  it('allows the columns of such types plainly, and enumerations of the scope', async () => {
    const sql =
      "SELECT o.*, (o.score).points, 'paid'::shop.order_status, rank() OVER (ORDER BY amount) FROM shop.orders o WHERE status > 'new'"
    expect(await answerTo(sql)).toMatchObject({ verdict: 'allow' })
  })

  it.each(queries.filter(isKnown).filter(isMended))('allows $id: $sql', async ({ sql }) => {
    expect(await answerTo(sql)).toMatchObject({ verdict: 'allow' })
  })

  it('knows every case that is not mended', async () => {
    const cases = [...attacks, ...queries].filter(each => isKnown(each) && !isMended(each))
    const answers = await Promise.all(cases.map(async ({ id, sql }) => ({ id, verdict: (await answerTo(sql)).verdict })))
    const isAttack = ({ id }: { readonly id: string }) => attacks.some(attack => attack.id === id)
    expect(answers.filter(answer => (answer.verdict === 'allow') !== isAttack(answer))).toEqual([])
  })

  it.each(PAIRS)('says the same of what is hidden and of what does not exist: %s', async (hidden, missing) => {
    const names = [...missing.matchAll(/[\w|]+/g)].map(([name]) => name)
    const plain = ({ message = '' }: { readonly message?: string }) =>
      message.replace(/[\w.|]+/g, word => (word.includes('.') || names.includes(word) ? 'name' : word))
    const [first, second] = [await answerTo(hidden), await answerTo(missing)]
    expect(first.verdict).toBe('reject')
    expect(plain(first)).toBe(plain(second))
  })

  it('does not pass on what a function of a user says', async () => {
    const run = world.connections.withTransaction({ timeoutMs: 5_000 }, client => client.query("SELECT shop.label 'x'"), signal)
    await expect(run).rejects.toThrow('its reason may hold private values')
  })
})
