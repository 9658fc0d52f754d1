// Starts the embedded engine for tests. Unlike the real one, it can cause faults.
import { serveEngine } from '../../src/clickhouse/engine/serve-engine.ts'
import { FaultInjection } from './fault-injection.ts'

await serveEngine(new FaultInjection())
