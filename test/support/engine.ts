import { z } from 'zod'
import { createLogger } from '../../src/base/logger.ts'
import { compiledEntry } from '../../src/base/package-files.ts'
import { type EmbeddedEngine, openEmbeddedEngine } from '../../src/clickhouse/engine/open-embedded-engine.ts'
import { CLICKHOUSE_LIMITS } from '../../src/clickhouse/limits.ts'
import { openWarehouseOn } from '../../src/clickhouse/open-warehouse.ts'
import type { Warehouse } from '../../src/warehouse/warehouse.ts'
import type { Fault, ReceivedQuery } from './fault-injection.ts'

/** A private ClickHouse engine for one test file. */
export interface TestEngine {
  readonly warehouse: Warehouse
  readonly engine: EmbeddedEngine
  /** The CLICKHOUSE_URL for the engine's reading user. */
  readonly url: string
  /** Replaces the faults to inject. */
  inject(...faults: Fault[]): Promise<void>
  /** Returns the texts of received queries in order, from index `from` on. */
  receivedQueries(from?: number): Promise<readonly ReceivedQuery[]>
  close(): Promise<void>
}

const receivedSchema = z.array(z.object({ user: z.string(), sql: z.string(), parameters: z.record(z.string(), z.string()) }))

/** Starts an engine in a temporary folder. Needs `dist/` (`node scripts/build.mjs`). */
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
      headers: { 'X-ClickHouse-User': writer.username, 'X-ClickHouse-Key': writer.password },
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
