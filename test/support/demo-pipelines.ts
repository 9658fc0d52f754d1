import { readFileSync } from 'node:fs'
import { createLogger } from '../../src/base/logger.ts'
import { packageFile } from '../../src/base/package-files.ts'
import { wirePipelines } from '../../src/main/pipelines.ts'
import { StateDatabase } from '../../src/pipelines/state-database.ts'
import { PipelineTables } from '../../src/pipelines/tables.ts'
import type { Warehouse } from '../../src/warehouse/warehouse.ts'

const SETTINGS = { stateDatabase: 'clew', database: 'pipelines', preservation: 'NONE' } as const

/** Makes Clew's own tables in a warehouse, and registers these pipelines of the demo. */
export async function openDemoPipelines(warehouse: Warehouse, names: readonly string[], signal: AbortSignal) {
  await new PipelineTables(warehouse, SETTINGS.database).createDatabase(signal)
  await new StateDatabase(warehouse, SETTINGS.stateDatabase).migrate(packageFile('migrations'), Date.now, signal)
  const context = { config: { pipelines: SETTINGS }, logger: createLogger({ level: 'silent' }) }
  const { pipelines, source } = wirePipelines(context as unknown as Parameters<typeof wirePipelines>[0], warehouse)
  for (const name of names)
    await pipelines.register(readFileSync(packageFile('demo', 'pipelines', `${name}.yaml`), 'utf8'), signal)
  const run = async (name: string) => (await pipelines.run((await pipelines.create(name, {}, signal)).id, {}, signal)).id
  const replay = async (id: string) =>
    (await pipelines.run((await pipelines.createReplay(id, 'to see all', signal)).id, {}, signal)).id
  return { source, run, replay }
}
