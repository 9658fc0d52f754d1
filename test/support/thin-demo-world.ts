import { loadDemoWorld } from '../../src/clickhouse/demo/world.ts'
import type { Warehouse } from '../../src/warehouse/warehouse.ts'

/** Matches the statements for the tables with 1.5 of the 1.6 million rows. */
const MEASUREMENTS = /^INSERT INTO fact_/
const MOST_ROWS = 20_000

/** Returns a warehouse that writes only the first rows of the demo's measurements. It writes all other tables completely. */
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

/** Loads the demo's world with few measurements. */
export async function loadThinDemoWorld(warehouse: Warehouse, signal: AbortSignal): Promise<void> {
  await loadDemoWorld({ warehouse: thinned(warehouse) }, signal)
}
