import { investigate } from '../../src/agent/lineage/investigate.ts'
import type { LineageResult } from '../../src/agent/lineage/result.ts'
import { newRunId } from '../../src/agent/run/id.ts'
import { stepReports } from '../../src/agent/run/step-reports.ts'
import { Resources } from '../../src/base/lifecycle.ts'
import type { Logger } from '../../src/base/logger.ts'
import { type TranscribedCall, TranscribingLanguageModel } from '../../src/evals/transcribing-language-model.ts'
import { RunLog } from '../../src/history/run-log.ts'
import type { Config } from '../../src/main/config.ts'
import { wireGuard, wireModel, wireWarehouse } from '../../src/main/parts.ts'
import { migrateState, wireLineage, wirePipelines } from '../../src/main/pipelines.ts'
import { createMemoryStateStore } from '../../src/store/memory-state-store.ts'
import { definitionOf, type PlantedCase, worldOf } from './planted-case.ts'

/** The result of a case, to compare with its known cause. */
export interface CaseReport {
  readonly id: string
  readonly question: string
  readonly preservation: PlantedCase['preservation']
  readonly tier: 1 | 2
  readonly rounds: number
  readonly root_cause: string
  /** The table that the graph's picture marks. */
  readonly suspected_table: string | null
  readonly answer: string
  readonly citations: LineageResult['citations']
  readonly evidence: LineageResult['evidence']
  readonly tool_calls: LineageResult['tool_calls']
  readonly replay: LineageResult['replay']
  readonly tokens: { readonly in: number; readonly out: number }
  readonly models: readonly string[]
  readonly elapsed_ms: number
  /** Every complete call of the model. */
  readonly transcript: readonly TranscribedCall[]
}

/**
 * Creates a case's data in a separate engine, runs its job, and lets the configured model investigate like `clew lineage --json --yes`.
 * @param config with `chdb:memory` as its warehouse
 * @throws ClewError, like the command
 */
export async function investigateCase(
  planted: PlantedCase,
  { config, logger }: { readonly config: Config; readonly logger: Logger },
  signal: AbortSignal,
): Promise<CaseReport> {
  const resources = new Resources()
  const context = { config, logger, resources }
  try {
    const model = new TranscribingLanguageModel(wireModel(context))
    const warehouse = await wireWarehouse(context, signal)
    await migrateState(context, warehouse, signal)
    const write = async (statements: readonly string[]) => {
      for (const sql of statements) await warehouse.write({ sql, database: 'default' }, signal)
    }
    await write([...worldOf(planted.pipeline), ...planted.before])
    const { pipelines } = wirePipelines(context, warehouse)
    const { name } = await pipelines.register(definitionOf(planted), signal)
    const created = await pipelines.create(name, { preservation: planted.preservation }, signal)
    const job = await pipelines.run(created.id, {}, signal)
    if (job.status !== 'COMPLETED') throw new Error(`${planted.id}: the job ended with ${job.error}`)
    await write(planted.after)

    const deps = await wireLineage(context, { warehouse, guard: await wireGuard(context, warehouse, signal) }, signal)
    const store = createMemoryStateStore({ now: Date.now })
    const log = await RunLog.open(newRunId(), { store, now: Date.now }, signal)
    const startedAt = performance.now()
    const result = await investigate(
      {
        ...deps,
        model,
        request: {
          job: name,
          question: planted.question,
          isDeep: false,
          conversation: '',
          askedAt: new Date().toISOString(),
          timeZone: config.timeZone,
          language: 'en',
        },
        log,
        observe: () => {},
        askPerson: async () => 'replay',
      },
      signal,
    )
    const steps = stepReports(log.entries())
    const { tier, rounds, root_cause, suspected_table, answer, citations, evidence, tool_calls, replay } = result
    return {
      id: planted.id,
      question: planted.question,
      preservation: planted.preservation,
      ...{ tier, rounds, root_cause, suspected_table, answer, citations, evidence, tool_calls, replay },
      tokens: { in: sum(steps.map(step => step.tokens_in)), out: sum(steps.map(step => step.tokens_out)) },
      models: [...new Set(steps.flatMap(step => step.model ?? []))],
      elapsed_ms: Math.round(performance.now() - startedAt),
      transcript: model.calls,
    }
  } finally {
    await resources.close(logger)
  }
}

function sum(values: readonly (number | null)[]): number {
  return values.reduce<number>((total, value) => total + (value ?? 0), 0)
}
