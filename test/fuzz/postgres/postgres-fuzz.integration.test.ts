import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { WarehouseError } from '../../../src/warehouse/error.ts'
import { runSql, VERSIONS } from '../../support/postgres.ts'
import { startGuardWorld } from '../../support/postgres-guard-world.ts'
import { runsOf } from '../../support/whole.ts'
import { Random } from '../random.ts'
import { writeQuery } from './write-query.ts'

/** POSTGRES_FUZZ=20000 runs so many queries on each version. */
const QUERIES = Number(process.env.POSTGRES_FUZZ ?? runsOf(2_400))
const SEED = Number(process.env.POSTGRES_FUZZ_SEED ?? 19)
const TIME_LIMIT_MS = 120_000 + QUERIES * 60
/** What the private values look like. */
const PRIVATE_VALUES = /@example\.com|senior|987654/

describe.each(VERSIONS)('random queries on Postgres %i', version => {
  let world: Awaited<ReturnType<typeof startGuardWorld>>
  beforeAll(async () => {
    world = await startGuardWorld(version)
    const grants = [...(world.scope.columns ?? [])].map(([table, { readable }]) => {
      const columns = [...readable].map(name => `"${name}"`).join(', ')
      return `GRANT SELECT (${columns}) ON ${table} TO exact;`
    })
    const role = 'CREATE ROLE exact; GRANT exact TO clew_reader; GRANT USAGE ON SCHEMA shop TO exact;'
    await runSql(world.server.adminUrl, `${role} ${grants.join(' ')}`)
  }, 60_000)
  afterAll(() => world.stop())

  /** Runs a query with exactly the rights that the guard assumes. */
  const run = async (sql: string, signal: AbortSignal) => {
    const limited = `SELECT * FROM (\n${sql}\n) AS result LIMIT 20`
    const work = (client: Parameters<Parameters<typeof world.connections.withTransaction>[1]>[0]) =>
      client.query({ text: limited, rowMode: 'array' })
    return (await world.connections.withTransaction({ timeoutMs: 5_000, role: 'exact' }, work, signal)).rows
  }

  it(
    'what the guard allows, the server never denies to a role with exactly these rights',
    async () => {
      const signal = AbortSignal.timeout(TIME_LIMIT_MS)
      const tally = { allowed: 0, ran: 0, refused: 0, wrong: 0 }
      for (let index = 0; index < QUERIES; index += 1) {
        const sql = writeQuery(new Random(SEED, index))
        const verdict = await world.guard.check(sql, world.scope, signal).catch(nameOfFault)
        if (verdict === 'wrong') tally.wrong += 1
        else if (verdict.verdict === 'reject') tally.refused += 1
        else {
          tally.allowed += 1
          const rows = await run(verdict.canonical, signal).catch(error => {
            if (error instanceof WarehouseError && error.kind === 'denied') throw new Error(`denied #${index}: ${sql}`)
            nameOfFault(error)
            return undefined
          })
          if (rows !== undefined) tally.ran += 1
          if (PRIVATE_VALUES.test(JSON.stringify(rows ?? []))) throw new Error(`a private value #${index}: ${sql}`)
        }
      }
      console.info(`random queries on Postgres ${version}: ${JSON.stringify(tally)}`)
      // Queries of all three kinds must have been there, or the property would say nothing.
      expect(Math.min(tally.ran, tally.refused)).toBeGreaterThan(QUERIES / 20)
    },
    TIME_LIMIT_MS,
  )
})

function nameOfFault(error: unknown): 'wrong' {
  if (error instanceof WarehouseError && error.kind !== 'unavailable' && error.kind !== 'cancelled') return 'wrong'
  throw error
}
