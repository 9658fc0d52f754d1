// Tries out a definition as a separate process that can be killed. It waits for one message: { url, id, yaml }.
import { createLogger } from '../../src/base/logger.ts'
import { openUncheckedWarehouse } from '../../src/clickhouse/open-warehouse.ts'
import { parseJobDefinition } from '../../src/pipelines/jobs/definition.ts'
import { Trials } from '../../src/pipelines/jobs/trial.ts'
import { PipelineTables } from '../../src/pipelines/tables.ts'
import { PERMISSIVE } from './permissive-guard.ts'

export interface TrialOrder {
  readonly url: string
  readonly id: string
  readonly yaml: string
}

process.once('message', async ({ url, id, yaml }: TrialOrder) => {
  const signal = new AbortController().signal
  const logger = createLogger({ level: 'silent' })
  const options = { url, database: 'default', maxBytes: 10_000_000, timeoutMs: 30_000, logger }
  const warehouse = await openUncheckedWarehouse(options, signal)
  const trials = new Trials({ warehouse, tables: new PipelineTables(warehouse, 'pipelines'), now: Date.now, logger })
  await trials.cleanUp(id, signal)
  await trials.run(id, parseJobDefinition(yaml), { ...PERMISSIVE, warehouse }, signal)
  await trials.cleanUp(id, signal)
  process.disconnect()
  await warehouse.close()
})
process.send?.('ready')
