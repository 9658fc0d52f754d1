import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Command, CommanderError, InvalidArgumentError } from 'commander'
import { z } from 'zod'
import { createLogger } from '../../src/base/logger.ts'
import { SchemaCatalog } from '../../src/clickhouse/catalog/schema-catalog.ts'
import { DEMO_WORLD_DATABASE, loadDemoWorld } from '../../src/clickhouse/demo/world.ts'
import { EngineSqlGuard } from '../../src/clickhouse/guard/engine-sql-guard.ts'
import { CLICKHOUSE_LIMITS } from '../../src/clickhouse/limits.ts'
import { openWarehouse } from '../../src/clickhouse/open-warehouse.ts'
import { EngineQueryValidator } from '../../src/clickhouse/validation/engine-query-validator.ts'
import { createMemoryStateStore } from '../../src/store/memory-state-store.ts'
import { scopeOfSchema } from '../../src/warehouse/scope-of-schema.ts'
import { type AttackDeps, attackEngine, isFault } from './attack-engine.ts'

const USAGE_STATUS = 2
const lineSchema = z.object({ id: z.union([z.string(), z.number()]).optional(), sql: z.string() })

/**
 * The command `npm run attack`: asks costly and crashing queries one by one. Reports what each asker is told, and whether the engine still serves
 * others.
 * @param args the command line after the program's name
 * @returns the exit code: 0, 1 if an asker or others got no answer, 2 for invalid options
 */
export async function mainAttack(args: readonly string[]): Promise<number> {
  const command = new Command('npm run attack --')
    .description('Asks each {"id", "sql"} of a file as clew would, and looks whether the embedded engine still answers.')
    .argument('<file>', 'JSON lines')
    .option('--raw', 'straight to the engine as the reader, past the guard', false)
    .option('--copies <count>', 'so many of each at once', count, 1)
    .option('--url <url>', 'CLICKHOUSE_URL of data of your own, with --database; the world of the demo otherwise')
    .option('--database <name>', 'what may be read there', DEMO_WORLD_DATABASE)
    .exitOverride()
  try {
    command.parse(args, { from: 'user' })
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : USAGE_STATUS
    throw error
  }
  const lines = (await readFile(command.args[0] ?? '', 'utf8')).split('\n').filter(line => line.trim() !== '')
  const queries = lines.map(line => lineSchema.parse(JSON.parse(line)))
  return attack(queries, command.opts())
}

async function attack(
  queries: readonly z.infer<typeof lineSchema>[],
  options: { readonly raw: boolean; readonly copies: number; readonly url?: string; readonly database: string },
): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'clew-attack-'))
  const { deps, close } = await openWorld(options.url ?? `chdb:${folder}`, options)
  let faults = 0
  try {
    for (const [index, { id, sql }] of queries.entries()) {
      const outcome = await attackEngine(deps, sql, options)
      if (isFault(outcome)) faults += 1
      const line = { id: id ?? index + 1, fault: isFault(outcome), ...outcome, detail: outcome.detail.slice(0, 200) }
      console.log(JSON.stringify(line, (_, value: unknown) => (typeof value === 'number' ? Number(value.toFixed(2)) : value)))
    }
  } finally {
    await close()
    await rm(folder, { recursive: true, force: true })
  }
  console.log(`${queries.length} queries, ${faults} faults`)
  return faults === 0 ? 0 : 1
}

async function openWorld(
  url: string,
  options: { readonly url?: string; readonly database: string },
): Promise<{ readonly deps: AttackDeps; close(): Promise<void> }> {
  const signal = new AbortController().signal
  const logger = createLogger({ level: 'silent' })
  const { maxBytes, maxRows, timeoutMs } = CLICKHOUSE_LIMITS.query
  const open = (database: string) => openWarehouse({ url, database, maxBytes, timeoutMs, logger }, signal)
  const [warehouse, bystander] = [await open(options.database), await open('system')]
  if (options.url === undefined) await loadDemoWorld({ warehouse }, signal)
  const databases = [options.database]
  const catalog = new SchemaCatalog({ warehouse, store: createMemoryStateStore({ now: Date.now }), logger }, { databases })
  const schema = await catalog.load(signal)
  return {
    deps: {
      guard: new EngineSqlGuard({ warehouse }),
      validator: new EngineQueryValidator({ warehouse, maxRows }),
      warehouse,
      bystander,
      schema,
      scope: scopeOfSchema(schema, databases),
    },
    async close() {
      await catalog.close()
      await bystander.close()
      await warehouse.close()
    },
  }
}

function count(text: string): number {
  if (/^[1-9]\d{0,2}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('It must be a whole number from 1 to 999.')
}
