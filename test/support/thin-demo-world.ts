import { loadDemoWorld } from '../../src/clickhouse/demo/world.ts'
import type { Warehouse } from '../../src/warehouse/warehouse.ts'

/** Matches statements that fill the largest tables. They have 1.5 million of the demo's 1.6 million rows. */
const MEASUREMENTS = /^INSERT INTO fact_/
const MOST_ROWS = 20_000

/** Returns a warehouse that writes only the first rows of the demo's measurements, and all rows of the other tables. */
export function thinned(warehouse: Warehouse): Warehouse {
  return {
    description: warehouse.description,
    read: (query, signal) => warehouse.read(query, signal),
    readOwn: (query, signal) => warehouse.readOwn(query, signal),
    write: (statement, signal) => {
      const sql = MEASUREMENTS.test(statement.sql) ? `${statement.sql}\nLIMIT ${MOST_ROWS}` : statement.sql
      return warehouse.write({ ...statement, sql }, signal)
    },
    close: () => warehouse.close(),
  }
}

/** Loads the demo's data with only a few measurements, which is faster. */
export async function loadThinDemoWorld(warehouse: Warehouse, signal: AbortSignal): Promise<void> {
  await loadDemoWorld({ warehouse: thinned(warehouse) }, signal)
}
