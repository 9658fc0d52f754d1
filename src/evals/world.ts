import { readdir, readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { packageFile } from '../base/package-files.ts'
import { DEMO_WORLD_DATABASE, loadDemoWorld } from '../clickhouse/demo/world.ts'
import { splitStatements } from '../clickhouse/demo/world-statements.ts'
import type { Warehouse } from '../warehouse/warehouse.ts'
import type { EvalCase } from './case.ts'

/**
 * Creates the tables that the cases ask about. Runs `world/*.sql` in the folder of the cases, in the order of file names. Also
 * creates the demo data if a case asks about them. In these files, a statement ends with a semicolon at the end of a line, and
 * table names include the database.
 * @throws WarehouseError for a failed statement
 */
export async function loadEvalWorld(
  folder: string,
  cases: readonly EvalCase[],
  warehouse: Warehouse,
  signal: AbortSignal,
): Promise<void> {
  if (cases.some(({ database }) => database === DEMO_WORLD_DATABASE)) {
    await loadDemoWorld({ warehouse, anchor: new Date(Math.floor(Date.now() / 1_000) * 1_000) }, signal)
  }
  // The demo's own files take parameters, and have run by now.
  if (resolve(folder) === packageFile('demo')) return
  const world = join(folder, 'world')
  const files = (await readdir(world).catch(() => [])).filter(name => name.endsWith('.sql')).sort()
  for (const file of files) {
    for (const sql of splitStatements(await readFile(join(world, file), 'utf8'))) {
      await warehouse.write({ sql, database: 'system' }, signal)
    }
  }
}
