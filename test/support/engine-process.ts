// The engine of the tests. It can inject faults.
import { serveEngine } from '../../src/clickhouse/engine/serve-engine.ts'
import { FaultInjection } from './fault-injection.ts'

await serveEngine(new FaultInjection())
