import { PIPELINES_LIMITS } from './limits.ts'

/** Splits a long list into batches, runs the query once for each, and returns the rows of all queries. */
export async function queryInParts<Row>(
  list: readonly string[],
  ask: (part: readonly string[]) => Promise<readonly Row[]>,
): Promise<readonly Row[]> {
  const rows: Row[] = []
  for (let at = 0; at < list.length; at += PIPELINES_LIMITS.parametersPerQuery)
    rows.push(...(await ask(list.slice(at, at + PIPELINES_LIMITS.parametersPerQuery))))
  return rows
}
