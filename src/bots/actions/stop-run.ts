import type { AcceptedRuns } from '../../queue/accepted-runs.ts'
import type { IsRunOver } from '../../queue/is-run-over.ts'
import type { RunCancellation } from '../../queue/run-cancellation.ts'
import { forAsker } from './press-checks.ts'
import type { PressHandler } from './press-handler.ts'

/** Ends a run, which then says so where its progress stands. */
export function stopRun(deps: {
  readonly runs: Pick<AcceptedRuns, 'find'>
  readonly cancellation: Pick<RunCancellation, 'request'>
  readonly isRunOver: IsRunOver
}): PressHandler {
  return forAsker(deps, 'stop this', async ({ pressed: { runId } }, asked, signal) => {
    if (await deps.isRunOver(asked, signal)) return { markdown: 'This has ended already.' }
    const isHeard = await deps.cancellation.request(runId, 'stopped', signal)
    return isHeard ? undefined : { markdown: 'I will not look into this when its turn comes.' }
  })
}
