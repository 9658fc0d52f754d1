import { createSqlFormatter } from '../../clickhouse/sql-formatter.ts'
import { PipelineError } from '../../pipelines/error.ts'
import { LineageGraph } from '../../pipelines/lineage/graph.ts'
import { SeenRun } from '../../pipelines/lineage/seen-run.ts'
import type { LoggedRun } from '../../pipelines/lineage/source.ts'
import { lineageWords } from '../../words/lineage.ts'
import type { LineageDeps, LineageRequest } from './context.ts'

/**
 * Loads a run's graph and limits it to the asker's rights.
 * @throws PipelineError `refused` if the asker may not see one of the tables; WarehouseError
 */
export async function openGraph(
  { source, guard, warehouse }: Pick<LineageDeps, 'source' | 'guard' | 'warehouse'>,
  run: LoggedRun,
  { grants, language }: Partial<Pick<LineageRequest, 'grants' | 'language'>>,
  signal: AbortSignal,
): Promise<LineageGraph> {
  const asker = grants && { grants, guard, formatSql: createSqlFormatter(warehouse), liveTables: source.liveTables.bind(source) }
  const seen = await SeenRun.by(asker, run, await source.operations(run.id, signal), signal)
  if (seen !== undefined) return new LineageGraph(seen, await source.liveTables(seen.tables, signal))
  // In other pipeline systems, a job has the name of its table, which must stay hidden. So the message names the run instead.
  const called = run.isRepeatable ? run.job : run.id
  throw new PipelineError(lineageWords(language).mayNotSee(called), { kind: 'refused' })
}
