import { z } from 'zod'
import { thereAre } from '../../base/text/there-are.ts'
import { PipelineError } from '../error.ts'
import { type StateDatabase, timeSchema, timeText } from '../state-database.ts'
import { type JobDefinition, jobDefinitionSchema } from './definition.ts'

export interface RegisteredJob {
  readonly name: string
  readonly version: number
  readonly definition: JobDefinition
  readonly registeredAt: Date
}

const rowSchema = z
  .object({ name: z.string(), version: z.number(), definition: z.string(), registered_at: timeSchema })
  .transform(({ name, version, definition, registered_at }) => ({
    name,
    version,
    definition: jobDefinitionSchema.parse(JSON.parse(definition)),
    registeredAt: registered_at,
  }))

const COLUMNS = 'name, version, definition, registered_at'

/**
 * Stores all versions of the registered definitions. A running job keeps the version with which it started. Methods throw
 * WarehouseError.
 */
export class JobRegistry {
  readonly #state: StateDatabase
  readonly #now: () => number

  constructor(deps: { readonly state: StateDatabase; readonly now: () => number }) {
    this.#state = deps.state
    this.#now = deps.now
  }

  /**
   * Registers a definition as the next version under its name. If the definition equals the latest version, nothing is stored.
   */
  async register(definition: JobDefinition, signal: AbortSignal): Promise<{ readonly version: number; readonly isNew: boolean }> {
    const latest = await this.find(definition.name, undefined, signal)
    const text = JSON.stringify(definition)
    if (latest !== undefined && JSON.stringify(latest.definition) === text) return { version: latest.version, isNew: false }
    const version = (latest?.version ?? 0) + 1
    const at = this.#now()
    const row = { name: definition.name, version, definition: text, registered_at: timeText(new Date(at)), revision: at }
    await this.#state.insert('registered_jobs', [row], signal)
    return { version, isNew: true }
  }

  /**
   * Finds a definition.
   * @param version undefined for the latest version
   */
  async find(name: string, version: number | undefined, signal: AbortSignal): Promise<RegisteredJob | undefined> {
    const [job] = await this.#state.select(
      rowSchema,
      `SELECT ${COLUMNS} FROM registered_jobs FINAL WHERE name = {name:String}
       ${version === undefined ? '' : 'AND version = {version:UInt32}'} ORDER BY version DESC LIMIT 1`,
      version === undefined ? { name } : { name, version },
      signal,
    )
    return job
  }

  /**
   * Like `find`.
   * @throws PipelineError `not_found`
   */
  async get(name: string, version: number | undefined, signal: AbortSignal): Promise<RegisteredJob> {
    const job = await this.find(name, version, signal)
    if (job !== undefined) return job
    const names = (await this.list(signal)).map(({ name: known }) => known)
    const known = names.length === 0 ? 'none is registered (`clew jobs register FILE`)' : thereAre(names)
    throw new PipelineError(`There is no job ${name}: ${known}.`, { kind: 'not_found' })
  }

  /** Returns the latest version of every definition, sorted by name. */
  list(signal: AbortSignal): Promise<readonly RegisteredJob[]> {
    return this.#state.select(
      rowSchema,
      `SELECT ${COLUMNS} FROM registered_jobs FINAL ORDER BY name, version DESC LIMIT 1 BY name`,
      {},
      signal,
    )
  }
}
