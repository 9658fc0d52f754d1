import { createHash, randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { z } from 'zod'
import { ConfigurationError } from '../../base/errors.ts'
import { fileReason } from '../../base/file-reason.ts'
import { packageFile } from '../../base/package-files.ts'
import { DEMO_WORLD_DATABASE } from '../../clickhouse/demo/world.ts'
import { type DomainPack, loadDomainPack, NO_DOMAIN } from '../../domain/pack.ts'
import { type EvalCase, REPORT_NAME, readEvalCases } from '../../evals/case.ts'
import { type ContextPart, contextCosts, contextCostsText, readContextParts, withholding } from '../../evals/context-parts.ts'
import { type ComparableReport, compareReports, type EvalReport, evalReport, reportText } from '../../evals/report.ts'
import { reportPage } from '../../evals/report-page.ts'
import { type EvalParts, runEvalCase } from '../../evals/run-eval-case.ts'
import { runEvals } from '../../evals/run-evals.ts'
import { TranscribingLanguageModel } from '../../evals/transcribing-language-model.ts'
import type { EvalTranscript } from '../../evals/transcript.ts'
import { loadEvalWorld } from '../../evals/world.ts'
import { ConversationStore } from '../../history/conversation-store.ts'
import type { LanguageModel } from '../../llm/language-model.ts'
import { createMemoryStateStore } from '../../store/memory-state-store.ts'
import type { Schema } from '../../warehouse/schema.ts'
import { wireAnalyst, wireGuard, wireModel, wireSchemaSource, wireWarehouse } from '../parts.ts'
import { type CommandContext, EXIT, tell } from './command-context.ts'

/** The fields of an earlier report that a comparison needs. */
const comparableSchema = z.object({ cases: z.array(z.object({ id: z.string(), correct: z.boolean() })) })

export interface EvalsCommandOptions {
  readonly cases: string
  readonly concurrency: number
  /** Also writes the report to this file, as JSON. */
  readonly json?: string
  /** The folder of transcripts and reports. A case that already has a transcript there is not asked again. */
  readonly out?: string
  /** Asks only this many cases. The same number always selects the same cases. */
  readonly sample?: number
  /** Compares the results with this earlier JSON report, case by case. */
  readonly compare?: string
  /** The parts of the schema or domain pack to leave out of the prompts, separated by commas. */
  readonly without?: string
  /** Prints the size of each part of the prompts' context, and asks no question. */
  readonly context?: boolean
}

/**
 * `clew evals`: asks every case, compares the results with the expected ones, and writes a report. Without CLICKHOUSE_URL, it
 * creates the cases' data in an embedded engine. The command succeeds even if answers are wrong.
 */
export async function evalsCommand(context: CommandContext, options: EvalsCommandOptions): Promise<number> {
  const all = await readEvalCases(options.cases)
  const cases = options.sample === undefined ? all : sampleOf(all, options.sample)
  if (cases.length === 0) throw new ConfigurationError(`${options.cases} has no cases.`)
  const without = readContextParts(options.without ?? '')
  if (options.context) {
    const world = await openWorld(context, cases, dirname(resolve(options.cases)), without)
    for (const database of new Set(cases.map(each => each.database))) {
      const { schema, domain } = await world.contextOf(database)
      context.output.write(`${contextCostsText(database ?? 'all', contextCosts(schema, domain))}\n\n`)
    }
    return EXIT.answered
  }
  const before = options.compare === undefined ? undefined : await readReport(options.compare)
  const model = wireModel(context)
  const variant = without.length === 0 ? '' : `without-${without.join('-')}`
  const modelName = [context.config.model?.model ?? '', variant].filter(text => text !== '').join(' ')
  const world = await openWorld(context, cases, dirname(resolve(options.cases)), without)
  const name = [basename(options.cases, '.jsonl'), variant].filter(text => text !== '').join('-')
  const folder = options.out ?? join('.clew', 'evals', basename(dirname(resolve(options.cases))), name)
  let done = 0
  const transcripts = await runEvals(
    cases,
    {
      folder,
      modelName,
      concurrency: options.concurrency,
      answer: async (evalCase, signal) => {
        const own = new TranscribingLanguageModel(model)
        return await runEvalCase(evalCase, { ...(await world.partsFor(evalCase, own)), model: own, modelName }, signal)
      },
      onTranscript: ({ report }, isNew) => {
        const how = report.correct ? 'right' : `${report.reason}, ${report.detail}`
        tell(context, `${++done}/${cases.length} ${report.id}: ${how}${isNew ? '' : ' (answered before)'}`)
      },
    },
    context.signal,
  )
  const about = { cases_file: options.cases, model: modelName, finished_at: new Date().toISOString() }
  const report = evalReport(
    about,
    transcripts.map(each => each.report),
  )
  await writeReports(folder, report, transcripts, options.json)
  context.output.write(`${reportText(report)}\n`)
  if (before !== undefined) context.output.write(`${comparisonText(before, report)}\n`)
  context.output.write(`\n${join(folder, `${REPORT_NAME}.html`)}\n`)
  return EXIT.answered
}

/** Selects cases by a hash of their ids, so the choice is always the same. The order of the file stays. */
function sampleOf(cases: readonly EvalCase[], size: number): readonly EvalCase[] {
  const chosen = new Set(
    [...cases]
      .sort((a, b) => (hashOf(a.id) < hashOf(b.id) ? -1 : 1))
      .slice(0, size)
      .map(({ id }) => id),
  )
  return cases.filter(({ id }) => chosen.has(id))
}

function hashOf(id: string): string {
  return createHash('sha256').update(id).digest('hex')
}

interface EvalWorld {
  contextOf(database: string | undefined): Promise<{ readonly schema: Schema; readonly domain: DomainPack }>
  partsFor(evalCase: EvalCase, model: LanguageModel): Promise<Pick<EvalParts, 'analyst' | 'conversations' | 'warehouse'>>
}

/** Opens the configured warehouse. If none is configured, opens a temporary embedded one with the cases' data. */
async function openWorld(
  context: CommandContext,
  cases: readonly EvalCase[],
  folder: string,
  without: readonly ContextPart[],
): Promise<EvalWorld> {
  const { config, signal, logger } = context
  const url = config.warehouse.url ?? `chdb:${await temporaryFolder(context)}`
  const on = (databases: string[]): CommandContext => {
    const own = config.domainDirectory ?? domainBeside(folder, databases)
    const domainDirectory = without.includes('domain') ? undefined : own
    return { ...context, config: { ...config, domainDirectory, warehouse: { ...config.warehouse, url, databases } } }
  }
  if (config.warehouse.url === undefined) {
    await loadEvalWorld(folder, cases, await wireWarehouse(on(['system']), signal), signal)
  }
  const open = async (database: string | undefined) => {
    const wiring = on(database === undefined ? [...config.warehouse.databases] : [database])
    const warehouse = await wireWarehouse(wiring, signal)
    const guard = await wireGuard(wiring, warehouse, signal, sentence => tell(context, sentence))
    const catalog = wireSchemaSource(wiring, { warehouse, store: createMemoryStateStore({ now: Date.now }) })
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

async function temporaryFolder({ resources }: CommandContext): Promise<string> {
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

async function readReport(path: string): Promise<ComparableReport> {
  try {
    return comparableSchema.parse(JSON.parse(await readFile(path, 'utf8')))
  } catch (cause) {
    throw new ConfigurationError(`${path} is not a report of evals: ${fileReason(cause)}.`, { cause })
  }
}

async function writeReports(
  folder: string,
  report: EvalReport,
  transcripts: readonly EvalTranscript[],
  copy: string | undefined,
): Promise<void> {
  const path = join(folder, `${REPORT_NAME}.json`)
  await writeFile(path, `${JSON.stringify(report, null, 2)}\n`)
  await writeFile(join(folder, `${REPORT_NAME}.html`), await reportPage(report, transcripts))
  if (copy !== undefined) await copyFile(path, copy)
}

function comparisonText(before: ComparableReport, after: EvalReport): string {
  const { gained, lost, onlyBefore, onlyAfter } = compareReports(before, after)
  const lines: readonly (readonly [string, readonly string[]])[] = [
    ['Correct now, wrong before', gained],
    ['Wrong now, correct before', lost],
    ['Not asked now', onlyBefore],
    ['Not asked before', onlyAfter],
  ]
  const told = lines.filter(([, ids]) => ids.length > 0).map(([what, ids]) => `${what}: ${ids.join(', ')}`)
  return ['', ...(told.length > 0 ? told : ['No case differs from the earlier report.'])].join('\n')
}
