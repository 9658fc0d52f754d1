// A runner of pipelines as a separate process, to be killed. It waits for one message: { url, suffix, arguments, preservation, replayOf }. `suffix`
// distinguishes its databases.
import { randomBytes } from 'node:crypto'
import { createLogger } from '../../dist/base/logger.js'
import { openUncheckedWarehouse } from '../../dist/clickhouse/open-warehouse.js'
import { JobRegistry } from '../../dist/pipelines/jobs/registry.js'
import { JobStore } from '../../dist/pipelines/jobs/store.js'
import { OperationLog } from '../../dist/pipelines/log/operation-log.js'
import { Pipelines } from '../../dist/pipelines/pipelines.js'
import { StateDatabase } from '../../dist/pipelines/state-database.js'
import { PipelineTables } from '../../dist/pipelines/tables.js'

process.once('message', async ({ url, suffix, arguments: values, preservation, replayOf }) => {
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
    // It was paused, and another runner has taken over the job.
    if (error.code !== 'pipeline_refused') throw error
  })
  process.disconnect()
  await warehouse.close()
})
process.send('ready')
