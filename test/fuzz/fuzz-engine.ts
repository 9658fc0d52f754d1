import { randomBytes } from 'node:crypto'
import { createLogger } from '../../src/base/logger.ts'
import { EngineSqlGuard } from '../../src/clickhouse/guard/engine-sql-guard.ts'
import { openUncheckedWarehouse } from '../../src/clickhouse/open-warehouse.ts'
import type { SqlGuard } from '../../src/warehouse/sql-guard.ts'
import { startGrantedServer } from '../support/granted-server.ts'
import { makeFuzzWorld } from './fuzz-world.ts'
import type { OracleDeps } from './oracle.ts'

/** A test engine with generated data. Queries run on it with exactly the rights that the guard assumes. */
export interface FuzzEngine extends OracleDeps {
  readonly guard: SqlGuard
  /** The process id of the engine. It changes with each restart. */
  readonly pid: number
  restart(): Promise<void>
  close(): Promise<void>
}

const MAX_BYTES = 4_000_000
const TIMEOUT_MS = 20_000

/** Starts the engine with newly generated secret marks in its data. Needs the compiled files in `dist/`. */
export async function startFuzzEngine(signal: AbortSignal): Promise<FuzzEngine> {
  const world = makeFuzzWorld(() => randomBytes(6).toString('hex'))
  const server = await startGrantedServer({ ...world, world: world.statements })
  const warehouse = await openUncheckedWarehouse(
    {
      url: server.url,
      database: 'default',
      maxBytes: MAX_BYTES,
      timeoutMs: TIMEOUT_MS,
      logger: createLogger({ level: 'silent' }),
    },
    signal,
  )
  return {
    guard: new EngineSqlGuard({ warehouse }),
    warehouse,
    forbiddenMarks: scope => world.forbiddenMarks(scope),
    get pid() {
      return server.pid
    },
    restart: () => server.restart(),
    async close() {
      await warehouse.close()
      await server.close()
    },
  }
}
