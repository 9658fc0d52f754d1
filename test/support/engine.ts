import { z } from 'zod'
import { createLogger } from '../../src/base/logger.ts'
import { compiledEntry } from '../../src/base/package-files.ts'
import { type EmbeddedEngine, openEmbeddedEngine } from '../../src/clickhouse/engine/open-embedded-engine.ts'
import { CLICKHOUSE_LIMITS } from '../../src/clickhouse/limits.ts'
import { openWarehouseOn } from '../../src/clickhouse/open-warehouse.ts'
import type { Warehouse } from '../../src/warehouse/warehouse.ts'
import type { Fault, ReceivedQuery } from './fault-injection.ts'

/** A ClickHouse engine that only one test file uses. */
export interface TestEngine {
  readonly warehouse: Warehouse
  readonly engine: EmbeddedEngine
  /** The CLICKHOUSE_URL with which a test connects as the engine's reading user. */
  readonly url: string
  /** Plans these faults for the next queries. Earlier plans are dropped. */
  inject(...faults: Fault[]): Promise<void>
  /** Returns the SQL of the received queries in order, starting at index `from`. */
  receivedQueries(from?: number): Promise<readonly ReceivedQuery[]>
  close(): Promise<void>
}

const receivedSchema = z.array(z.object({ user: z.string(), sql: z.string(), parameters: z.record(z.string(), z.string()) }))

/** Starts an engine in a temporary folder. It needs the compiled files in `dist/` (`node scripts/build.mjs`). */
export async function startTestEngine(
  options: { readonly database?: string; readonly timeoutMs?: number; readonly maxBytes?: number } = {},
): Promise<TestEngine> {
  const signal = AbortSignal.timeout(CLICKHOUSE_LIMITS.engine.startTimeoutMs)
  const engine = await openEmbeddedEngine({ directory: 'memory', program: compiledEntry('test/engine-process') }, signal)
  const { reader, writer } = await engine.endpoint(signal)
  const warehouse = await openWarehouseOn(engine, {
    database: options.database ?? 'default',
    maxBytes: options.maxBytes ?? CLICKHOUSE_LIMITS.query.maxBytes,
    timeoutMs: options.timeoutMs ?? CLICKHOUSE_LIMITS.query.timeoutMs,
    logger: createLogger({ level: 'silent' }),
  })
  const ask = async (path: string, body?: unknown) => {
    const response = await fetch(`${writer.url}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      // A connection that waits may be closed at the moment of its next use.
      headers: { 'X-ClickHouse-User': writer.username, 'X-ClickHouse-Key': writer.password, Connection: 'close' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    if (!response.ok) throw new Error(await response.text())
    return response
  }
  return {
    warehouse,
    engine,
    url: reader.url.replace('//', `//${reader.username}:${reader.password}@`),
    inject: async (...faults) => void (await ask('/engine/faults', faults)),
    receivedQueries: async (from = 0) => receivedSchema.parse(await (await ask(`/engine/received?from=${from}`)).json()),
    async close() {
      await warehouse.close()
      await engine.close()
    },
  }
}
