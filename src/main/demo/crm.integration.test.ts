import { afterEach, describe, expect, it } from '@jest/globals'
import { Resources } from '../../base/lifecycle.ts'
import { createLogger } from '../../base/logger.ts'
import { findPostgres, type PostgresPrograms } from '../../postgres/local/programs.ts'
import { runSql } from '../../postgres/local/run-sql.ts'
import { DemoCrm } from './crm.ts'

const logger = createLogger({ level: 'silent' })
const resources = new Resources()
afterEach(() => resources.close(logger))

async function start(programs: PostgresPrograms | undefined) {
  const said: string[] = []
  const crm = await DemoCrm.start({ resources }, programs, text => said.push(text))
  return { crm, said }
}

describe("the demo's second source", () => {
  it('is left out with a sentence where there is no Postgres', async () => {
    const { crm, said } = await start(undefined)
    expect(crm).toBeUndefined()
    expect(said).toEqual(['There is no Postgres here that the demo could start, so it goes on without its second data source.'])
  })

  it('is left out with the reason where Postgres does not start', async () => {
    const { crm, said } = await start({ initdb: '/bin/false', postgres: '/bin/false' })
    expect(crm).toBeUndefined()
    expect(said).toEqual([expect.stringMatching(/^The private Postgres did not start: .+ The demo goes on without its second/s)])
  })

  it('comes with the sources of demo/sources.yaml, and stops with the demo', async () => {
    const { crm, said } = await start(await findPostgres())
    if (crm === undefined) throw new Error(`There is no Postgres here: ${said.join()}`)
    const [telemetry, second] = crm.sources('chdb:somewhere')
    expect(telemetry).toMatchObject({ id: 'telemetry', isDefault: true, kind: 'clickhouse', url: 'chdb:somewhere' })
    expect(second).toMatchObject({ id: 'crm', kind: 'postgres', url: crm.url, privateColumns: ['customers.email'] })
    expect(second?.joinKeys).toHaveLength(3)
    await resources.close(logger)
    await expect(runSql(crm.url, 'SELECT 1')).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  })

  it('is away for the time of some work, and then there again, even if the work fails', async () => {
    const { crm } = await start(await findPostgres())
    const reach = () => runSql(crm?.url ?? '', 'SELECT 1 AS one')
    await expect(crm?.whileAway(reach)).rejects.toMatchObject({ code: 'ECONNREFUSED' })
    expect(await reach()).toEqual([{ one: 1 }])
  })
})
