// The tests' engine, which can inject faults.
import { register } from 'node:module'
import { serveEngine } from '../../dist/clickhouse/engine/serve-engine.js'

register('../../scripts/typescript-hooks.mjs', import.meta.url)
const { FaultInjection } = await import('./fault-injection.ts')
await serveEngine(new FaultInjection())
