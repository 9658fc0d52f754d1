import { z } from 'zod'
import type { Cell } from '../../warehouse/warehouse.ts'
import { drawnNumber } from '../chart/numbers.ts'
import { AGENT_LIMITS } from '../limits.ts'
import { plainReport } from '../run/plain-report.ts'
import { columnsSchema, type QueryReport, rowsSchema } from '../run/result.ts'
import { type KeyedPlan, keyColumns, keyedRows } from './condition.ts'

/** The rows of a query in the run before. */
export const snapshotSchema = z.object({ id: z.string(), columns: columnsSchema, rows: rowsSchema })
export type Snapshot = z.infer<typeof snapshotSchema>

const COLUMNS = [
  { name: 'query', type: 'String' },
  { name: 'what', type: 'String' },
  { name: 'figure', type: 'String' },
  { name: 'before', type: 'Nullable(Float64)' },
  { name: 'now', type: 'Nullable(Float64)' },
  { name: 'difference', type: 'Nullable(Float64)' },
]

/** Keeps the rows of each query, to compare the next run with. Of a long result, rows that were not kept would seem to be gone. */
export function snapshotsOf(reports: readonly QueryReport[]): readonly Snapshot[] {
  return reports.filter(report => report.error === null && isKept(report)).map(({ id, columns, rows }) => ({ id, columns, rows }))
}

function isKept({ rows, truncated }: QueryReport): boolean {
  return !truncated && rows.length <= AGENT_LIMITS.subscribe.watchedRows
}

/**
 * Compares the results of a run with those of the run before, as a result of its own. The writer cites it like any other.
 * @returns null if there is nothing to compare with
 */
export function differenceOf(
  { plan, last: before }: { readonly plan: KeyedPlan; readonly last: readonly Snapshot[] },
  reports: readonly QueryReport[],
  question: string,
): QueryReport | null {
  const compared = reports.flatMap(report => {
    const last = before.find(({ id }) => id === report.id)
    const isSame = JSON.stringify(last?.columns) === JSON.stringify(report.columns)
    return report.error === null && isKept(report) && last !== undefined && isSame ? [{ last, report }] : []
  })
  if (compared.length === 0) return null
  const keyOf = (report: QueryReport) => plan.queries.find(({ id }) => id === report.id)?.key
  const rows = compared
    .flatMap(({ last, report }) => changes(last, report, keyOf(report)))
    .slice(0, AGENT_LIMITS.subscribe.changes)
  return plainReport({
    id: `Q${reports.length + 1}`,
    question,
    tables: [...new Set(compared.flatMap(({ report }) => report.tables ?? []))],
    columns: COLUMNS,
    rows,
    combined: { inputs: compared.map(({ report }) => report.id), joins: [] },
  })
}

function changes(
  last: Snapshot,
  { id, columns, rows }: QueryReport,
  key: readonly number[] = keyColumns(columns),
): readonly (readonly Cell[])[] {
  const [before, now] = [keyedRows(last, key), keyedRows({ columns, rows }, key)]
  return [...new Set([...now.keys(), ...before.keys()])].flatMap(about =>
    columns.flatMap(({ name }, at) => {
      if (key.includes(at)) return []
      const [old, current] = [drawnNumber(before.get(about)?.[at]), drawnNumber(now.get(about)?.[at])]
      const difference = old === null || current === null ? null : Number((current - old).toPrecision(12))
      return old === current ? [] : [[id, about, name, old, current, difference]]
    }),
  )
}
