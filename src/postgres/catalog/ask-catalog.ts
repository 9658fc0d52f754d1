import { z } from 'zod'
import { WarehouseError } from '../../warehouse/error.ts'
import type { PostgresConnections } from '../connection.ts'

/** The parts for a question to the system catalogs. */
export interface CatalogAsk {
  readonly connections: PostgresConnections
  /** The schemas to read. */
  readonly schemas: readonly string[]
  readonly timeoutMs: number
}

/**
 * Asks the system catalogs, with parameters as `$1`, `$2`, …, and parses each row.
 * @throws WarehouseError; its kind is `query` if a row has another shape than expected
 */
export async function askCatalog<Row>(
  { connections, timeoutMs }: Pick<CatalogAsk, 'connections' | 'timeoutMs'>,
  sql: string,
  parameters: readonly unknown[],
  row: z.ZodType<Row>,
  signal: AbortSignal,
): Promise<readonly Row[]> {
  const { rows } = await connections.withTransaction({ timeoutMs }, client => client.query(sql, [...parameters]), signal)
  const parsed = z.array(row).safeParse(rows)
  if (parsed.success) return parsed.data
  const message = 'The Postgres server describes its tables in a way that is not understood.'
  throw new WarehouseError(message, { kind: 'query', cause: parsed.error })
}
