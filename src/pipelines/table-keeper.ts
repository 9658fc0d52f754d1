import { errorMessage } from '../base/errors.ts'
import type { Logger } from '../base/logger.ts'
import type { Job, JobStore } from './jobs/store.ts'
import { isLostTrial } from './jobs/trial-id.ts'
import type { OperationLog } from './log/operation-log.ts'
import type { OwnTable, PipelineTables } from './tables.ts'

export interface TableKeeperDeps {
  readonly jobs: JobStore
  readonly log: OperationLog
  readonly tables: PipelineTables
  /** Returns the current Unix time in milliseconds. */
  readonly now: () => number
  readonly logger: Logger
}

/** A temporary table of a job, with its owner. `isResult`: whether the log lists the table as a result. */
interface KeptTable {
  readonly table: OwnTable
  readonly owner: Job
  readonly isResult: boolean
}

/**
 * Drops the tables that jobs made for themselves, as soon as nobody needs them. A table that the log lists as a result is dropped
 * at the job's end, or when it expires (FULL preservation). Tables of unfinished attempts and replaced published tables are
 * dropped at the job's end. Tables of lost temporary jobs are dropped too. Tables of other unknown jobs are never dropped.
 */
export class TableKeeper {
  readonly #deps: TableKeeperDeps

  constructor(deps: TableKeeperDeps) {
    this.#deps = deps
  }

  /**
   * Drops all jobs' own tables that nobody needs any more.
   * @returns the number of dropped tables
   * @throws WarehouseError if the tables cannot be listed
   */
  async dropOver(signal: AbortSignal): Promise<number> {
    const own = await this.#deps.tables.own(signal)
    const lost = own.filter(({ mark }) => isLostTrial(mark.clew_job, this.#deps.now()))
    const over = (await this.#kept(own, signal)).filter(this.#isOver)
    return this.#discard([...over, ...lost.map(table => ({ table, isResult: false }))], signal)
  }

  /** Like `dropOver`, but for the tables of one job. */
  async dropOverOf(jobId: string, signal: AbortSignal): Promise<number> {
    return this.#discard((await this.#keptOf(jobId, signal)).filter(this.#isOver), signal)
  }

  /** Drops the unfinished tables that an earlier runner of the job left behind. First stops the queries that still fill them. */
  async dropUnfinishedOf(jobId: string, signal: AbortSignal): Promise<void> {
    await this.#discard(
      (await this.#keptOf(jobId, signal)).filter(({ isResult }) => !isResult),
      signal,
    )
  }

  async #keptOf(jobId: string, signal: AbortSignal): Promise<readonly KeptTable[]> {
    return this.#kept(
      (await this.#deps.tables.own(signal)).filter(({ mark }) => mark.clew_job === jobId),
      signal,
    )
  }

  async #kept(own: readonly OwnTable[], signal: AbortSignal): Promise<readonly KeptTable[]> {
    const ids = [...new Set(own.map(({ mark }) => mark.clew_job))]
    const [jobs, results] = await Promise.all([this.#deps.jobs.named(ids, signal), this.#deps.log.resultsOf(ids, signal)])
    const owners = new Map(jobs.map(job => [job.id, job]))
    return own.flatMap(table => {
      const owner = owners.get(table.mark.clew_job)
      const isResult = results.get(table.mark.clew_job)?.has(table.table.name) ?? false
      return owner === undefined ? [] : [{ table, owner, isResult }]
    })
  }

  readonly #isOver = ({ owner, isResult }: KeptTable): boolean => {
    if (owner.finishedAt === undefined) return false
    return !isResult || owner.expiresAt === undefined || owner.expiresAt.getTime() <= this.#deps.now()
  }

  /** Drops tables and returns how many were dropped. A table that cannot be dropped stays until the next cleanup. */
  async #discard(all: readonly Omit<KeptTable, 'owner'>[], signal: AbortSignal): Promise<number> {
    const { tables, logger } = this.#deps
    let dropped = 0
    for (const { table, isResult } of all) {
      try {
        if (isResult) await tables.dropOwn(table, signal)
        else await tables.discard(table, signal)
        dropped += 1
      } catch (error) {
        signal.throwIfAborted()
        logger.warn({ table: table.table.name, error: errorMessage(error) }, 'a table of a job could not be dropped')
      }
    }
    return dropped
  }
}
