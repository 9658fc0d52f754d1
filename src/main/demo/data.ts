import { loadDemoSecurity } from '../../clickhouse/demo/security.ts'
import { type DemoWorld, loadDemoWorld } from '../../clickhouse/demo/world.ts'
import { findPostgres } from '../../postgres/local/programs.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import { MAIN_LIMITS } from '../limits.ts'
import type { WiringContext } from '../store.ts'
import { DemoCrm } from './crm.ts'
import { changeInputs, DemoJobs } from './jobs.ts'

/** The data of the demo in all its sources. They end at the present moment. */
export class DemoData {
  /** Undefined if this machine has no Postgres. */
  readonly crm: DemoCrm | undefined
  readonly #warehouse: Warehouse
  #world: DemoWorld

  private constructor(warehouse: Warehouse, crm: DemoCrm | undefined, world: DemoWorld) {
    this.#warehouse = warehouse
    this.crm = crm
    this.#world = world
  }

  /**
   * Makes the data, and runs the pipelines over them. Says what there is.
   * @throws ConfigurationError, PipelineError, WarehouseError
   */
  static async open(
    context: WiringContext,
    warehouse: Warehouse,
    say: (text: string) => void,
    signal: AbortSignal,
  ): Promise<DemoData> {
    const started = performance.now()
    const [world, jobs, crm] = await Promise.all([
      freshWorld(warehouse, signal),
      openJobs(context, warehouse, signal),
      findPostgres().then(programs => DemoCrm.start(context, programs, say)),
    ])
    await Promise.all([jobs.run(['metro_capacity'], signal), crm?.fill({ warehouse, ...world }, signal)])
    await changeInputs(warehouse, world.database, signal)
    const seconds = ((performance.now() - started) / 1000).toFixed(1)
    const millions = (world.rows / 1e6).toFixed(1)
    say(`A network operator's data, ${millions} million rows, and three pipelines that have run: made in ${seconds} s.`)
    if (crm !== undefined)
      say("The network's customers, with their contracts, invoices and tickets, are in a Postgres of its own.")
    return new DemoData(warehouse, crm, world)
  }

  /**
   * Generates the data again if they have become too old for the recorded answers, which describe data that end now.
   * @param always whether to generate them even if they are new
   * @throws WarehouseError
   */
  async refresh(always: boolean, signal: AbortSignal): Promise<void> {
    if (!always && Date.now() - this.#world.anchor.getTime() <= MAIN_LIMITS.demoWorldMs) return
    const warehouse = this.#warehouse
    this.#world = await freshWorld(warehouse, signal)
    await Promise.all([
      changeInputs(warehouse, this.#world.database, signal),
      this.crm?.fill({ warehouse, ...this.#world }, signal),
    ])
  }
}

/** Opens the pipelines, and runs the jobs that do not read the demo data. */
async function openJobs(context: WiringContext, warehouse: Warehouse, signal: AbortSignal): Promise<DemoJobs> {
  const [jobs] = await Promise.all([DemoJobs.open(context, warehouse, signal), loadDemoSecurity(warehouse, signal)])
  await jobs.run(['cve_enrichment', 'paid_orders'], signal)
  return jobs
}

function freshWorld(warehouse: Warehouse, signal: AbortSignal): Promise<DemoWorld> {
  return loadDemoWorld({ warehouse, anchor: new Date(Math.floor(Date.now() / 1_000) * 1_000) }, signal)
}
