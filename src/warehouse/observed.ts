import type { Observe } from '../telemetry/observation.ts'
import { WarehouseError } from './error.ts'
import type { SqlGuard } from './sql-guard.ts'
import type { DataWarehouse, QueryResult } from './warehouse.ts'

interface Watching {
  /** The id of the data source. `default` if there are no several sources. */
  readonly source: string
  readonly observe: Observe
  /** Unix time in milliseconds. */
  readonly now: () => number
}

/** Wraps `read` so that each query is observed when it ends, but not a probe. */
export function observedRead(warehouse: Pick<DataWarehouse, 'read'>, { source, observe, now }: Watching): DataWarehouse['read'] {
  return async (query, signal) => {
    if (query.isProbe === true) return warehouse.read(query, signal)
    const startedAt = now()
    const tell = (outcome: string, result?: QueryResult) =>
      observe({
        kind: 'query',
        source,
        sql: query.sql,
        outcome,
        rows: result?.rows.length ?? 0,
        rowsRead: result?.rowsRead ?? 0,
        bytesRead: result?.bytesRead ?? 0,
        durationMs: now() - startedAt,
      })
    try {
      const result = await warehouse.read(query, signal)
      tell('ok', result)
      return result
    } catch (error) {
      tell(error instanceof WarehouseError ? error.kind : 'fault')
      throw error
    }
  }
}

/** Wraps a guard so that each verdict is observed. */
export function observedGuard(guard: SqlGuard, { source, observe }: Pick<Watching, 'source' | 'observe'>): SqlGuard {
  return {
    async check(sql, scope, signal) {
      const verdict = await guard.check(sql, scope, signal)
      observe({ kind: 'guard', source, verdict: verdict.verdict === 'reject' ? verdict.code : 'allow' })
      return verdict
    },
  }
}
