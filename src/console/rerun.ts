import { type DirectReads, RefusedRead } from '../agent/direct-reads.ts'
import { RunError } from '../agent/run/error.ts'
import { newRunId } from '../agent/run/id.ts'
import type { TurnClient } from '../http/turn-client.ts'
import type { McpParts } from '../mcp/parts.ts'
import type { Viewer } from './app.ts'
import { CONSOLE_LIMITS } from './limits.ts'

/** The parts that run a guarded query of the viewer's own. */
export interface RerunDeps extends Pick<McpParts, 'countQuery' | 'recorded'> {
  readonly turns: Pick<TurnClient, 'count'>
  readonly reads: () => Promise<Pick<DirectReads, 'runQuery' | 'formatSql'>>
}

/** Runs SQL with the viewer's rights. It counts as a turn, and is in the audit log before its rows are shown. */
export async function rerun(
  deps: RerunDeps,
  { caller, access }: Viewer,
  asked: { readonly sql: string; readonly source?: string | undefined; readonly maxRows?: number },
  signal: AbortSignal,
) {
  await deps.turns.count(caller, newRunId(), signal)
  const run = async () => {
    await deps.countQuery?.(signal)
    const rows = await (await deps.reads()).runQuery({ maxRows: CONSOLE_LIMITS.rows, ...asked, access }, signal)
    return { kind: 'read' as const, ...rows }
  }
  const read = await run().catch((error: unknown) => {
    if (!(error instanceof RefusedRead || error instanceof RunError)) throw error
    return { kind: 'refused' as const, message: error.message }
  })
  await deps.recorded?.(signal)
  return read
}
