import type { CostEstimate, TableCost } from './estimate.ts'

/** Adds up the reads of each table, because a query may read the same table several times, and of all tables. */
export function totalCost(reads: readonly TableCost[]): Pick<CostEstimate, 'tables' | 'rows' | 'bytes'> {
  const byTable = new Map<string, TableCost>()
  for (const read of reads) {
    const before = byTable.get(read.table)
    const columns = new Map(before?.columns.map(({ name, bytes }) => [name, bytes]))
    for (const { name, bytes } of read.columns) columns.set(name, (columns.get(name) ?? 0) + bytes)
    byTable.set(read.table, {
      table: read.table,
      rows: (before?.rows ?? 0) + read.rows,
      bytes: (before?.bytes ?? 0) + read.bytes,
      columns: [...columns].map(([name, bytes]) => ({ name, bytes })).sort((a, b) => b.bytes - a.bytes),
    })
  }
  const tables = [...byTable.values()].sort((a, b) => b.bytes - a.bytes)
  return {
    tables,
    rows: tables.reduce((sum, cost) => sum + cost.rows, 0),
    bytes: tables.reduce((sum, cost) => sum + cost.bytes, 0),
  }
}
