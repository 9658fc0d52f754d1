import type { AcceptedRuns } from '../../queue/accepted-runs.ts'
import type { RunCancellation } from '../../queue/run-cancellation.ts'
import type { RunRecords } from '../run-record.ts'
import { forAsker } from './press-checks.ts'
import type { PressHandler } from './press-handler.ts'

/** Ends a run, which then says so where its progress stands. */
export function stopRun(deps: {
  readonly runs: Pick<AcceptedRuns, 'find'>
  readonly records: Pick<RunRecords, 'load'>
  readonly cancellation: Pick<RunCancellation, 'request'>
}): PressHandler {
  return forAsker(deps, 'stop this', async ({ pressed: { runId } }, _asked, signal) => {
    if ((await deps.records.load(runId, signal)) !== undefined) return { markdown: 'This is answered already.' }
    const isHeard = await deps.cancellation.request(runId, 'stopped', signal)
    return isHeard ? undefined : { markdown: 'I will not look into this when its turn comes.' }
  })
}
