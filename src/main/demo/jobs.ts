import { readFile } from 'node:fs/promises'
import { packageFile } from '../../base/package-files.ts'
import { readDemoDriftStatements } from '../../clickhouse/demo/world-statements.ts'
import { PipelineError } from '../../pipelines/error.ts'
import type { Pipelines } from '../../pipelines/pipelines.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import { migrateState, wirePipelines } from '../pipelines.ts'
import type { WiringContext } from '../store.ts'

const JOBS = ['cve_enrichment', 'metro_capacity', 'paid_orders'] as const
export type DemoJob = (typeof JOBS)[number]

/** The demo's pipelines, which run in the demo's own engine. */
export class DemoJobs {
  readonly #pipelines: Pipelines

  private constructor(pipelines: Pipelines) {
    this.#pipelines = pipelines
  }

  /**
   * Registers the definitions in `demo/pipelines`.
   * @throws WarehouseError
   */
  static async open(context: WiringContext, warehouse: Warehouse, signal: AbortSignal): Promise<DemoJobs> {
    await migrateState(context, warehouse, signal)
    const { pipelines } = wirePipelines(context, warehouse)
    const definitions = await Promise.all(JOBS.map(name => readFile(packageFile('demo', 'pipelines', `${name}.yaml`), 'utf8')))
    await Promise.all(definitions.map(yaml => pipelines.register(yaml, signal)))
    return new DemoJobs(pipelines)
  }

  /**
   * Runs jobs at the same time. If an earlier demo left a job unfinished, continues that job instead of starting a new one.
   * @throws PipelineError, WarehouseError
   */
  async run(names: readonly DemoJob[], signal: AbortSignal): Promise<void> {
    await Promise.all(
      names.map(async name => {
        const latest = await this.#pipelines.latest(name, signal)
        const isOpen = latest?.status === 'PENDING' || latest?.status === 'RUNNING'
        const { id } = isOpen ? latest : await this.#pipelines.create(name, {}, signal)
        const { status, error } = await this.#pipelines.run(id, {}, signal)
        if (status !== 'COMPLETED') throw new PipelineError(`The job ${name} ended as ${status}: ${error}`, { kind: 'operation' })
      }),
    )
  }
}

/**
 * Changes some input rows of the job metro_capacity, as if time had passed since it ran.
 * @throws WarehouseError
 */
export async function changeInputs(warehouse: Pick<Warehouse, 'write'>, database: string, signal: AbortSignal): Promise<void> {
  for (const sql of readDemoDriftStatements()) await warehouse.write({ sql, database }, signal)
}
