import { z } from 'zod'
import type { Warehouse } from '../warehouse.ts'
import { readRows } from './read-rows.ts'

export interface ServerFacts {
  readonly serverVersion: string
  readonly timeZone: string
}

const serverRow = z.object({ serverVersion: z.string(), timeZone: z.string() })

/** @throws WarehouseError */
export async function readServer(warehouse: Warehouse, timeoutMs: number, signal: AbortSignal): Promise<ServerFacts> {
  const sql = 'SELECT version() AS serverVersion, timezone() AS timeZone'
  const [facts] = await readRows(warehouse, { sql, timeoutMs }, serverRow, signal)
  return facts ?? { serverVersion: 'unknown', timeZone: 'UTC' }
}
