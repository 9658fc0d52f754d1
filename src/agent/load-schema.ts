import type { Schema } from '../clickhouse/schema.ts'
import type { RunContext } from './run-context.ts'

/** Loads the schema as a traced step; it is cached, and a resumed run should see the current one. */
export async function loadSchema(context: RunContext, signal: AbortSignal): Promise<Schema> {
  return context.log.trace({ step: 'schema' }, {}, signal, () => context.deps.schemaSource.load(signal))
}
