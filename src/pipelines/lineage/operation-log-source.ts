import { nearNames } from '../../warehouse/near-names.ts'
import type { TableName } from '../../warehouse/schema.ts'
import { qualifiedName } from '../../warehouse/table-names.ts'
import type { JobRegistry } from '../jobs/registry.ts'
import type { Job, JobStore } from '../jobs/store.ts'
import type { OperationLog, OperationLogEntry } from '../log/operation-log.ts'
import type { PipelineTables } from '../tables.ts'
import type { LineageSource, ListedRun, ListRuns, LiveTable, LoggedOperation, LoggedRun } from './source.ts'

/**
 * Reads lineage from the operation log, to which any program may write. For Clew's own runs, the table of jobs adds the name,
 * status and arguments.
 */
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
    const { jobs, registry, log } = this.#deps
    const job = (await jobs.latest(jobOrId, signal)) ?? (await jobs.named([jobOrId], signal))[0]
    if (job !== undefined) return { run: runOf(job) }
    const logged = await this.#logged(jobOrId, signal)
    if (logged !== undefined) return { run: logged }
    const named = await this.#logged(await log.latestFor(jobOrId, signal), signal)
    const names = (await registry.list(signal)).map(({ name }) => name)
    // If a job of this name exists but has never run, there is no run to return. Then only its name is returned.
    const none = { near: names.includes(jobOrId) ? [jobOrId] : nearNames(jobOrId, names), names }
    return named === undefined ? none : { run: named, ifHidden: none }
  }

  operations(runId: string, signal: AbortSignal): Promise<readonly LoggedOperation[]> {
    return this.#deps.log.ofJob(runId, signal)
  }

  async liveTables(tables: readonly TableName[], signal: AbortSignal): Promise<ReadonlyMap<string, LiveTable>> {
    const found = await this.#deps.tables.findAll(tables, signal)
    return new Map(
      found.map(({ table, mark, rows, holdsRows }) => [
        qualifiedName(table),
        { rows: holdsRows ? rows : undefined, runId: mark?.clew_job, holdsRows },
      ]),
    )
  }

  readonly listRuns: ListRuns = async (name, signal) => {
    const { jobs, log } = this.#deps
    const [own, others] = await Promise.all([jobs.list(name, signal), log.otherRuns(name, signal)])
    const startOf = ({ startedAt }: ListedRun) => startedAt?.getTime() ?? 0
    return [...own.map(listed), ...others.map(listedOther)].toSorted((one, other) => startOf(other) - startOf(one))
  }

  /** Returns a run that another program logged. Clew has no job with this id. */
  async #logged(id: string | undefined, signal: AbortSignal): Promise<LoggedRun | undefined> {
    const entries = id === undefined ? [] : await this.#deps.log.ofJob(id, signal)
    return id === undefined || entries.length === 0 ? undefined : loggedRun(id, entries)
  }
}

function runOf({ id, name, status, arguments: values, startedAt, finishedAt, error }: Job): LoggedRun {
  return { id, job: name, status, arguments: values, isRepeatable: true, startedAt, finishedAt, error }
}

function listed(job: Job): ListedRun {
  const { arguments: _, error: __, ...run } = runOf(job)
  return { ...run, replayOf: job.replayOf?.jobId }
}

function listedOther({
  job_id: id,
  target: job,
  status,
  started,
  finished,
}: Awaited<ReturnType<OperationLog['otherRuns']>>[number]): ListedRun {
  return { id, job, status, isRepeatable: false, startedAt: started, finishedAt: finished, replayOf: undefined }
}

/** Builds a run from the log entries of its operations, in the order in which the operations ended. */
function loggedRun(id: string, entries: readonly OperationLogEntry[]): LoggedRun {
  const target = entries.find(({ kind }) => kind === 'target')
  const failed = entries.find(({ error }) => error !== '')
  const isPublished = target !== undefined && target.error === ''
  const starts = entries.map(({ startedAt }) => startedAt.getTime())
  return {
    id,
    job: target?.operation ?? id,
    status: isPublished ? 'COMPLETED' : failed === undefined ? 'no target logged' : 'FAILED',
    arguments: undefined,
    isRepeatable: false,
    startedAt: new Date(starts.reduce((first, start) => Math.min(first, start))),
    finishedAt: entries.at(-1)?.finishedAt,
    error: failed?.error ?? '',
  }
}
