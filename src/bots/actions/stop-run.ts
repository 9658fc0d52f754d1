import type { PressHandler } from '../../chat/press-handler.ts'
import type { AcceptedRuns } from '../../queue/accept/accepted-runs.ts'
import type { IsRunOver } from '../../queue/drain/is-run-over.ts'
import type { RunCancellation } from '../../queue/run-cancellation.ts'
import { forAsker } from './press-checks.ts'

export function stopRun(deps: {
  readonly runs: Pick<AcceptedRuns, 'find'>
  readonly cancellation: Pick<RunCancellation, 'request'>
  readonly isRunOver: IsRunOver
}): PressHandler {
  return forAsker(deps, 'stop', async ({ press: { pressed }, asked, words }, signal) => {
    if (await deps.isRunOver(asked, signal)) return { markdown: words.endedAlready }
    const isHeard = await deps.cancellation.request(pressed.runId, 'stopped', signal)
    return isHeard ? undefined : { markdown: words.willNotLook }
  })
}
