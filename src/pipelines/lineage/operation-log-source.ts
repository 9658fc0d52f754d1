import { nearNames } from '../../clickhouse/near-names.ts'
import type { JobRegistry } from '../job-registry.ts'
import type { Job, JobStore } from '../job-store.ts'
import type { OperationLog, TableName } from '../operation-log.ts'
import { PipelineError } from '../pipeline-error.ts'
import type { PipelineTables } from '../pipeline-tables.ts'
import { tableText } from './lineage-graph.ts'
import type { LineageOperation, LineageRun, LineageSource, LiveTable } from './lineage-source.ts'

/** Lineage from Clew's own operation log. */
export class OperationLogSource implements LineageSource {
  readonly #deps: {
    readonly jobs: JobStore
    readonly registry: JobRegistry
    readonly log: OperationLog
    readonly tables: PipelineTables
  }

  constructor(deps: {
    readonly jobs: JobStore
    readonly registry: JobRegistry
    readonly log: OperationLog
    readonly tables: PipelineTables
  }) {
    this.#deps = deps
  }

  async findRun(jobOrId: string, signal: AbortSignal): ReturnType<LineageSource['findRun']> {
    const { jobs, registry } = this.#deps
    const job = (await jobs.latest(jobOrId, signal)) ?? (await this.#byId(jobOrId, signal))
    if (job !== undefined) return { run: runOf(job) }
    const names = (await registry.list(signal)).map(({ name }) => name)
    // A job that never ran has a name all the same.
    return { near: names.includes(jobOrId) ? [jobOrId] : nearNames(jobOrId, names), names }
  }

  operations(runId: string, signal: AbortSignal): Promise<readonly LineageOperation[]> {
    return this.#deps.log.ofJob(runId, signal)
  }

  async liveTables(tables: readonly TableName[], signal: AbortSignal): Promise<ReadonlyMap<string, LiveTable>> {
    const found = await this.#deps.tables.findAll(tables, signal)
    return new Map(found.map(({ table, mark, rows }) => [tableText(table), { rows, runId: mark?.clew_job }]))
  }

  async #byId(id: string, signal: AbortSignal): Promise<Job | undefined> {
    try {
      return await this.#deps.jobs.get(id, signal)
    } catch (error) {
      if (error instanceof PipelineError && error.kind === 'not_found') return undefined
      throw error
    }
  }
}

export function runOf({ id, name, status, arguments: values, startedAt, finishedAt, error }: Job): LineageRun {
  return { id, job: name, status, arguments: values, startedAt, finishedAt, error }
}
