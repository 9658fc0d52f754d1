import { randomUUID } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLogger } from '../src/base/logger.ts'
import { SchemaCatalog } from '../src/clickhouse/catalog/schema-catalog.ts'
import { DEMO_WORLD_DATABASE, loadDemoWorld } from '../src/clickhouse/demo/world.ts'
import { createMemoryStateStore } from '../src/store/memory-state-store.ts'
import { renderSchema } from '../src/warehouse/catalog/schema-prompt.ts'
import { CATALOG_LIMITS } from '../src/warehouse/limits.ts'
import type { Warehouse } from '../src/warehouse/warehouse.ts'
import { startTestEngine } from '../test/support/engine.ts'
import { WORLD_ANCHOR } from './model/scenarios.ts'

export interface World {
  /** The address with which the reading user reaches the warehouse: `http://user:password@127.0.0.1:port`. */
  readonly url: string
  /**
   * The path of the schema's text, as in Clew's prompts. Peers need it, because they do not read the schema. Only set with peers.
   */
  readonly schemaFile: string
  close(): Promise<void>
}

const STATISTICS_MS = 60_000

/** Starts a real engine with the demo data, in a process of its own. The data always end at the same time. */
export async function startWorld({ hasPeers }: { readonly hasPeers: boolean }): Promise<World> {
  const engine = await startTestEngine({ database: DEMO_WORLD_DATABASE })
  const signal = AbortSignal.timeout(120_000)
  await loadDemoWorld({ warehouse: engine.warehouse, anchor: new Date(WORLD_ANCHOR) }, signal)
  // The definition of a new table is read again for each question. A stub would keep the tables as young as they are now.
  await engine.warehouse.readOwn({ sql: `SELECT sleep(${CATALOG_LIMITS.settledAfterSeconds + 1})` }, signal)
  const schemaFile = join(tmpdir(), `clew-bench-schema-${randomUUID()}.txt`)
  if (hasPeers) await writeFile(schemaFile, await schemaText(engine.warehouse, signal))
  return {
    url: engine.url,
    schemaFile,
    async close() {
      await rm(schemaFile, { force: true })
      await engine.close()
    },
  }
}

async function schemaText(warehouse: Warehouse, signal: AbortSignal): Promise<string> {
  const catalog = new SchemaCatalog(
    { warehouse, store: createMemoryStateStore({ now: Date.now }), logger: createLogger({ level: 'silent' }) },
    { databases: [DEMO_WORLD_DATABASE], firstMomentMs: STATISTICS_MS },
  )
  try {
    return renderSchema(await catalog.load(signal)).text
  } finally {
    await catalog.close()
  }
}
