import { z } from 'zod'
import { SOURCE_KINDS } from '../../sources/kinds.ts'
import { type FilterFinding, filterFindingSchema } from '../../warehouse/filter-finding.ts'
import type { Schema } from '../../warehouse/schema.ts'
import type { ReadContext } from '../run/context.ts'
import type { QueryReport } from '../run/result.ts'

/**
 * Looks up values of the columns on which a query filters. They are stored in the run's log, so that a resumed run sees the same
 * values. Returns nothing if the data source cannot look them up.
 * @throws WarehouseError of kind `cancelled` only
 */
export async function filterFindings(
  { log, warehouse, dialect, lookUpTimeLimitMs: timeLimitMs }: ReadContext,
  { schema, report }: { readonly schema: Schema; readonly report: QueryReport },
  signal: AbortSignal,
): Promise<readonly FilterFinding[]> {
  const { lookUpFilters } = SOURCE_KINDS[dialect]
  if (lookUpFilters === null) return []
  const timeLimit = timeLimitMs === undefined ? {} : { timeLimitMs }
  const key = { step: 'look_up', query: report.id, attempt: report.attempts }
  return log.step(key, { sql: report.sql }, z.array(filterFindingSchema), signal, async () => [
    ...(await lookUpFilters(warehouse, { sql: report.sql ?? '', schema, ...timeLimit }, signal)),
  ])
}
