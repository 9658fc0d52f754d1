import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { packageFile } from '../base/package-files.ts'
import { DEMO_WORLD_DATABASE } from '../clickhouse/demo/world.ts'
import { type DomainPack, loadDomainPack, NO_DOMAIN } from '../domain/pack.ts'
import type { EvalCase } from '../evals/case.ts'
import { type ContextPart, withholding } from '../evals/context-parts.ts'
import type { EvalParts } from '../evals/run-eval-case.ts'
import { loadEvalWorld } from '../evals/world.ts'
import { ConversationStore } from '../history/conversation-store.ts'
import type { LanguageModel } from '../llm/language-model.ts'
import { createMemoryStateStore } from '../store/memory-state-store.ts'
import type { Schema } from '../warehouse/schema.ts'
import type { GivenParts } from './open-analyst.ts'
import { wireAnalyst, wireGuard, wireSchemaSource, wireWarehouse } from './parts.ts'
import type { WiringContext } from './store.ts'

export type EvalContext = WiringContext & { readonly signal: AbortSignal }

export interface EvalWorld {
  contextOf(database: string | undefined): Promise<{ readonly schema: Schema; readonly domain: DomainPack }>
  partsFor(evalCase: EvalCase, model: LanguageModel): Promise<Pick<EvalParts, 'analyst' | 'conversations' | 'warehouse'>>
}

/** The cases to ask, and what the prompts of their world show. */
export interface EvalSet {
  readonly cases: readonly EvalCase[]
  /** The folder of the cases' file. It may have `world/` and `domain/`. */
  readonly folder: string
  /** The parts of the schema or domain pack to leave out of the prompts. */
  readonly without: readonly ContextPart[]
}

/** Opens the configured warehouse. If none is configured, opens a temporary embedded one with the cases' data. */
export async function openEvalWorld(
  context: EvalContext,
  given: Pick<GivenParts, 'warehouse' | 'schemaSource'>,
  { cases, folder, without }: EvalSet,
): Promise<EvalWorld> {
  const { config, signal, logger, tell } = context
  const isOwn = given.warehouse === undefined && config.warehouse.url === undefined
  const url = isOwn ? `chdb:${await temporaryFolder(context)}` : config.warehouse.url
  const on = (databases: string[]): EvalContext => {
    const own = config.domainDirectory ?? domainBeside(folder, databases)
    const domainDirectory = without.includes('domain') ? undefined : own
    return { ...context, config: { ...config, domainDirectory, warehouse: { ...config.warehouse, url, databases } } }
  }
  if (isOwn) {
    await loadEvalWorld(folder, cases, await wireWarehouse(on(['system']), signal), signal)
  }
  const open = async (database: string | undefined) => {
    const wiring = on(database === undefined ? [...config.warehouse.databases] : [database])
    const warehouse = given.warehouse ?? (await wireWarehouse(wiring, signal))
    const guard = await wireGuard(wiring, warehouse, signal, tell)
    const store = createMemoryStateStore({ now: Date.now })
    const catalog = given.schemaSource ?? wireSchemaSource(wiring, { warehouse, store })
    const schemaSource = withholding(catalog, without)
    return { wiring, warehouse, guard, schemaSource }
  }
  const opened = new Map<string | undefined, ReturnType<typeof open>>()
  const openOnce = (database: string | undefined) => {
    const parts = opened.get(database) ?? open(database)
    opened.set(database, parts)
    return parts
  }
  return {
    async contextOf(database) {
      const { wiring, schemaSource } = await openOnce(database)
      const directory = wiring.config.domainDirectory
      const domain = directory === undefined ? NO_DOMAIN : await loadDomainPack(directory)
      return { schema: await schemaSource.load(signal), domain }
    },
    async partsFor({ database }, model) {
      const { wiring, ...shared } = await openOnce(database)
      const store = createMemoryStateStore({ now: Date.now })
      return {
        analyst: await wireAnalyst(wiring, { ...shared, store, model }),
        conversations: new ConversationStore({ store, newId: randomUUID, logger }),
        warehouse: shared.warehouse,
      }
    },
  }
}

async function temporaryFolder({ resources }: EvalContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'clew-evals-'))
  return resources.add('world of the evals', folder, path => rm(path, { recursive: true, force: true }))
}

/**
 * Returns the folder of the cases' domain pack: `domain` next to their file, or the demo's pack if the cases are about the demo's
 * data.
 */
function domainBeside(folder: string, databases: readonly string[]): string | undefined {
  const own = join(folder, 'domain')
  if (existsSync(own)) return own
  return databases.includes(DEMO_WORLD_DATABASE) ? packageFile('demo', 'domain') : undefined
}
