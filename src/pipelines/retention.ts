import { z } from 'zod'
import { DAY_MS } from '../base/durations.ts'
import type { StateDatabase } from './state-database.ts'

/** For each table of Clew's own, the time from which a row is kept. A job is kept at least as long as its tables. */
const KEPT_SINCE = {
  audit_log: 'at',
  jobs: 'greatest(created_at, seen_at, ifNull(expires_at, created_at))',
  tasks: 'started_at',
  job_cancellations: 'requested_at',
  operation_log: 'started_at',
} as const

/**
 * Makes ClickHouse remove rows of Clew's own tables after the retention time. Changes nothing where this is so already, because
 * ClickHouse would then rewrite the table. Definitions of pipelines are kept.
 * @throws WarehouseError, ConfigurationError
 */
export async function keepRowsFor(state: StateDatabase, retentionSeconds: number, signal: AbortSignal): Promise<void> {
  const days = Math.ceil((retentionSeconds * 1000) / DAY_MS)
  const sql = 'SELECT name FROM system.tables WHERE database = currentDatabase() AND position(engine_full, {ttl:String}) > 0'
  const settled = await state.select(z.object({ name: z.string() }), sql, { ttl: `toIntervalDay(${days})` }, signal)
  for (const [table, since] of Object.entries(KEPT_SINCE)) {
    if (settled.some(({ name }) => name === table)) continue
    await state.run(`ALTER TABLE ${table} MODIFY TTL toDateTime(${since}) + INTERVAL ${days} DAY`, {}, signal)
  }
}
