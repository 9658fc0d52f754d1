import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { VERSIONS } from '../../../test/support/postgres.ts'
import { readCases, startUnseenWorld } from '../../../test/support/postgres-guard-world.ts'
import { WarehouseError } from '../../warehouse/error.ts'

const signal = AbortSignal.timeout(300_000)
const attacks = await readCases('unseen-attacks.jsonl')
const queries = await readCases('unseen-queries.jsonl')

describe.each(VERSIONS)('PostgresSqlGuard and unseen cases on Postgres %i', version => {
  let world: Awaited<ReturnType<typeof startUnseenWorld>>
  beforeAll(async () => {
    world = await startUnseenWorld(version)
  }, 60_000)
  afterAll(() => world.stop())

  const answerTo = (sql: string): Promise<{ readonly verdict: string; readonly message?: string; code?: string }> =>
    world.guard.check(sql, world.scope, signal).catch(error => {
      if (error instanceof WarehouseError && error.kind !== 'unavailable') return { verdict: 'failed', message: error.message }
      throw error
    })

  it('dump', async () => {
    const fs = await import('node:fs')
    const out = []
    for (const [kind, cases] of [['a', attacks], ['q', queries]] as const)
      for (const { id, sql, since = 0 } of cases) if (since <= version) { const t = performance.now(); const r = await answerTo(sql); out.push(JSON.stringify({ kind, id, ms: performance.now() - t, ...r, sql: sql.slice(0, 200) })) }
    for (const { id, sql } of fs.readFileSync('/tmp/w/s19/pairs.jsonl', 'utf8').trim().split('\n').map(l => JSON.parse(l))) out.push(JSON.stringify({ kind: 'p', id, ...(await answerTo(sql)), sql }))
    fs.writeFileSync(`/tmp/w/s19/pg3a-dump${version}.jsonl`, out.join('\n'))
  }, 280_000)
})
