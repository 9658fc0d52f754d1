import { z } from 'zod'
import { eachInSlices } from '../../slices.ts'
import type { ReadQuery, Warehouse } from '../warehouse.ts'
import { WarehouseError } from '../warehouse-error.ts'

/**
 * Reads and parses rows, each as an object by the names of the result's columns.
 * @throws WarehouseError, also (`query`) where the server's rows are not of the expected shape.
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
    // Thousands of rows at once would hold up whatever else the thread does.
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
