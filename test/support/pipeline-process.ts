// A runner of pipelines as a separate process that can be killed. It waits for one message: { url, suffix, arguments, preservation, replayOf }.
// `suffix` tells its databases apart from others.
import { randomBytes } from 'node:crypto'
import { createLogger } from '../../src/base/logger.ts'
import { openUncheckedWarehouse } from '../../src/clickhouse/open-warehouse.ts'
import { PipelineError } from '../../src/pipelines/error.ts'
import type { PreservationMode } from '../../src/pipelines/jobs/definition.ts'
import { JobRegistry } from '../../src/pipelines/jobs/registry.ts'
import { JobStore } from '../../src/pipelines/jobs/store.ts'
import { OperationLog } from '../../src/pipelines/log/operation-log.ts'
import { Pipelines } from '../../src/pipelines/pipelines.ts'
import { StateDatabase } from '../../src/pipelines/state-database.ts'
import { PipelineTables } from '../../src/pipelines/tables.ts'

interface RunnerTask {
  readonly url: string
  readonly suffix: string
  readonly arguments: Readonly<Record<string, string>>
  readonly preservation: PreservationMode
  readonly replayOf?: string
}

process.once('message', async (message: RunnerTask) => {
  const { url, suffix, arguments: values, preservation, replayOf } = message
  const signal = new AbortController().signal
  const logger = createLogger({ level: 'silent' })
  const stateName = `clew_${suffix}`
  const warehouse = await openUncheckedWarehouse(
    { url, database: stateName, maxBytes: 10_000_000, timeoutMs: 30_000, logger },
    signal,
  )
  const state = new StateDatabase(warehouse, stateName)
  const now = Date.now
  const pipelines = new Pipelines({
    warehouse,
    registry: new JobRegistry({ state, now }),
    jobs: new JobStore(state),
    log: new OperationLog(state),
    tables: new PipelineTables(warehouse, `pipelines_${suffix}`),
    preservation: 'NONE',
    newJobId: () => `job_${randomBytes(8).toString('hex')}`,
    now,
    logger,
  })
  const job =
    replayOf === undefined
      ? await pipelines.create('orders_by_vendor', { arguments: values, preservation }, signal)
      : await pipelines.createReplay(replayOf, 'a look', signal)
  await pipelines.run(job.id, {}, signal).catch(error => {
    // Only one failure is expected: this runner was paused, and another one has taken over the job.
    if (!(error instanceof PipelineError && error.code === 'pipeline_refused')) throw error
  })
  process.disconnect()
  await warehouse.close()
})
process.send?.('ready')
