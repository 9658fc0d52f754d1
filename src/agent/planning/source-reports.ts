import { tableOfSource } from '../../access/source-rights.ts'
import type { RunSource } from '../run/context.ts'
import type { CombinedSummary, QueryReport } from '../run/result.ts'

/** Names the source of a query in its report. Tables of another source than the default one have its id before them. */
export function ofSource(report: QueryReport, source: RunSource['config']): QueryReport {
  if (report.source !== undefined || report.combined !== undefined) return report
  return {
    ...report,
    source: source.id,
    tables: report.tables === null ? null : report.tables.map(table => tableOfSource(source, table)),
  }
}

/** Returns a combined result in short. Empty for a query. */
export function combinedSummary({ id, combined, error, row_count: rows }: QueryReport): readonly CombinedSummary[] {
  if (combined === undefined) return []
  const [join] = combined.joins
  return [
    {
      id,
      inputs: combined.inputs,
      op: join?.kind ?? (error === null ? 'union' : null),
      rows_left: join?.rows_left ?? null,
      rows_right: join?.rows_right ?? null,
      keys_met: join?.keys_met ?? null,
      rows,
    },
  ]
}
