import { z } from 'zod'
import { eachInSlices } from '../base/slices.ts'
import { WarehouseError } from './error.ts'
import type { ReadQuery, Warehouse } from './warehouse.ts'

/**
 * Runs a query and parses each row as an object with column names as keys.
 * @throws WarehouseError; its kind is `query` if a row has another shape than expected
 */
export async function readRows<Row>(
  warehouse: Pick<Warehouse, 'read'>,
  query: ReadQuery,
  row: z.ZodType<Row>,
  signal: AbortSignal,
): Promise<readonly Row[]> {
  const result = await warehouse.read(query, signal)
  const names = result.columns.map(column => column.name)
  const parsed: Row[] = []
  try {
    // Parsing thousands of rows at once would block the thread, so they are parsed in slices.
    await eachInSlices(result.rows, cells => {
      parsed.push(row.parse(Object.fromEntries(cells.map((cell, index) => [names[index], cell]))))
    })
    return parsed
  } catch (error) {
    if (!(error instanceof z.ZodError)) throw error
    const message = 'the server described its tables in a way that is not understood'
    throw new WarehouseError(message, { kind: 'query', queryId: result.queryId, cause: error })
  }
}
