import { errorMessage } from '../../base/errors.ts'
import type { Logger } from '../../base/logger.ts'
import { WarehouseError, type WarehouseErrorKind } from '../../warehouse/error.ts'
import { ERROR_ROUTES } from '../../warehouse/error-routes.ts'
import type { TableName } from '../../warehouse/schema.ts'
import { quoteTable } from '../../warehouse/sql/quote-identifier.ts'
import type { GuardScope, SqlGuard } from '../../warehouse/sql-guard.ts'
import { qualifiedName } from '../../warehouse/table-names.ts'
import type { QueryResult, Warehouse } from '../../warehouse/warehouse.ts'
import { PIPELINES_LIMITS } from '../limits.ts'
import { renderTemplate } from '../sql-template.ts'
import type { StateWarehouse } from '../state-database.ts'
import type { MarkedTable, PipelineTables, TableMark } from '../tables.ts'
import { checkTemplates } from './check-templates.ts'
import { inputTable, type JobDefinition, jobSteps } from './definition.ts'
import { isLostTrial } from './trial-id.ts'

export interface TrialsDeps {
  readonly warehouse: StateWarehouse
  readonly tables: PipelineTables
  /** Returns the current Unix time in milliseconds. */
  readonly now: () => number
  readonly logger: Logger
}

/** Reads the sources of inputs with the rights of the person for whom a trial runs. */
export interface TrialReader {
  readonly guard: Pick<SqlGuard, 'check'>
  readonly warehouse: Pick<Warehouse, 'read'>
  readonly scope: GuardScope
}

export type TrialOutcome =
  /** `rows` are the first ones of the target. */
  | ({ readonly kind: 'ran'; readonly row_count: number } & Pick<QueryResult, 'columns' | 'rows'>)
  /** An operation failed. In `message`, tables of the trial stand as placeholders. */
  | { readonly kind: 'failed'; readonly operation: string; readonly message: string }
  /** Nothing could be tried: the tables of pipelines cannot be written here. */
  | { readonly kind: 'not_run'; readonly reason: 'denied' | 'no_database' | 'other'; readonly message: string }

const { trial: LIMITS } = PIPELINES_LIMITS
/** The engine ends an operation of a trial that needs more than this. */
const SETTINGS = `max_execution_time = ${LIMITS.operationMs / 1_000}, max_memory_usage = ${LIMITS.memoryBytes}, max_rows_to_read = ${LIMITS.operationRows}`

/**
 * Tries definitions out as temporary jobs, on samples of their inputs. A temporary job has its own tables, and no entry in the
 * store or the log of jobs. Nothing is published.
 */
export class Trials {
  readonly #deps: TrialsDeps

  constructor(deps: TrialsDeps) {
    this.#deps = deps
  }

  get database(): string {
    return this.#deps.tables.database
  }

  /**
   * Runs a definition on samples, in new tables. The caller cleans up before and after.
   * @throws WarehouseError of kind `cancelled`
   */
  async run(id: string, definition: JobDefinition, reader: TrialReader, signal: AbortSignal): Promise<TrialOutcome> {
    const made = new Map<string, TableName>()
    for (const { name, sql, isInput } of jobSteps(definition)) {
      const mark = { clew_job: id, job_name: definition.name, part: `${isInput ? 'input' : 'operation'}:${name}` }
      const names = new Map([...made].map(([role, table]) => [role, quoteTable(table)]))
      const rendered = renderTemplate(sql, { tables: names, values: definition.arguments })
      try {
        if (isInput) {
          const allowed = await allowedSql(reader, rendered, reader.scope, signal)
          const sample = await reader.warehouse.read({ sql: allowed, maxRows: LIMITS.inputRows }, signal)
          made.set(name, await this.#deps.tables.createFrom(mark, sample, signal))
        } else {
          const scope = { database: this.database, tables: new Set([...made.values()].map(qualifiedName)) }
          const canonical = await allowedSql(reader, rendered, scope, signal)
          made.set(name, (await this.#make(mark, canonical, signal)).table)
        }
      } catch (error) {
        if (isInput || !(error instanceof WarehouseError) || !mayBeMended(error.kind)) return notRun(error, signal)
        // The plan of the whole knows all names. One that is unknown before there is any table is that of the database.
        if (made.size === 0 && error.kind === 'unknown_name') return notRun(error, signal)
        return { kind: 'failed', operation: name, message: withPlaceholders(error.message, made) }
      }
    }
    return this.#result(made.get(definition.target.operation), signal)
  }

  #make(mark: TableMark, canonical: string, signal: AbortSignal): Promise<MarkedTable> {
    const { tables } = this.#deps
    const sql = `SELECT * FROM (\n${canonical}\n) LIMIT ${LIMITS.madeRows} SETTINGS ${SETTINGS}`
    return tables.create(mark, { table: tables.newOwnTable(), sql, orderBy: [], timeoutMs: LIMITS.operationMs }, signal)
  }

  async #result(table: TableName | undefined, signal: AbortSignal): Promise<TrialOutcome> {
    try {
      const target = quoteTable(table ?? { database: '', name: '' })
      const ask = (sql: string) => this.#deps.warehouse.readOwn({ sql, database: this.database }, signal)
      const [{ columns, rows }, counted] = await Promise.all([
        ask(`SELECT * FROM ${target} LIMIT ${LIMITS.shownRows}`),
        ask(`SELECT count() FROM ${target}`),
      ])
      return { kind: 'ran', row_count: Number(counted.rows[0]?.[0]), columns, rows }
    } catch (error) {
      return notRun(error, signal)
    }
  }

  /**
   * Drops the tables of a temporary job, and those that jobs of dead processes left. Ends the queries that still fill them. A table
   * that cannot be dropped now is dropped by a later call.
   */
  async cleanUp(id: string, signal: AbortSignal): Promise<void> {
    const { tables, now, logger } = this.#deps
    const own = (await tables.own(signal).catch(ignoreAway(signal))) ?? []
    for (const table of own.filter(({ mark: { clew_job: of } }) => of === id || isLostTrial(of, now()))) {
      await tables.discard(table, signal).catch((error: unknown) => {
        signal.throwIfAborted()
        logger.warn({ table: table.table.name, error: errorMessage(error) }, 'a table of a trial could not be dropped')
      })
    }
  }

  /**
   * Returns the tables that a definition would replace, if they are there already: its inputs' and its target's.
   * @returns the names that belong to others, and whether the target is there from an earlier version of the same job
   */
  async replaced(
    { name, inputs, target }: Pick<JobDefinition, 'name' | 'inputs' | 'target'>,
    signal: AbortSignal,
  ): Promise<{ readonly taken: readonly string[]; readonly isKnown: boolean }> {
    const { tables } = this.#deps
    const written = [...Object.keys(inputs).map(inputTable), target.table].map(table => tables.named(table))
    const there = (await tables.findAll(written, signal).catch(ignoreAway(signal))) ?? []
    return {
      taken: there.filter(({ mark }) => mark?.job_name !== name).map(({ table }) => table.name),
      isKnown: there.some(({ table, mark }) => table.name === target.table && mark?.job_name === name),
    }
  }

  /**
   * Checks the templates as the registration of a job does. If the database of pipelines cannot be used, checks nothing.
   * @throws PipelineError `definition`
   */
  async checkTemplates(definition: JobDefinition, signal: AbortSignal): Promise<void> {
    await checkTemplates(definition, this.#deps, signal).catch(ignoreAway(signal))
  }

  /** Whether the user who runs jobs may read what a query reads. The query itself does not run. */
  async mayRead(sql: string, signal: AbortSignal): Promise<boolean> {
    try {
      await this.#deps.warehouse.readOwn({ sql: `EXPLAIN ${sql}`, database: this.database, timeoutMs: LIMITS.explainMs }, signal)
      return true
    } catch (error) {
      if (signal.aborted || !(error instanceof WarehouseError)) throw error
      return error.kind !== 'denied'
    }
  }
}

/** Returns the text that the guard prints, because only that may run. @throws WarehouseError if it may not run */
async function allowedSql({ guard }: TrialReader, sql: string, scope: GuardScope, signal: AbortSignal): Promise<string> {
  const verdict = await guard.check(sql, scope, signal)
  if (verdict.verdict === 'allow') return verdict.canonical
  throw new WarehouseError(verdict.message, { kind: 'query' })
}

/** Whether the same operation may succeed in other words. */
export function mayBeMended(kind: WarehouseErrorKind): boolean {
  return ['regenerate', 'narrow'].includes(ERROR_ROUTES[kind].route)
}

function withPlaceholders(message: string, tables: ReadonlyMap<string, TableName>): string {
  return [...tables].reduce(
    (text, [label, { database, name }]) =>
      text
        .replaceAll(quoteTable({ database, name }), `{{ ${label} }}`)
        .replaceAll(`${database}.${name}`, `{{ ${label} }}`)
        .replaceAll(name, label),
    message,
  )
}

function notRun(error: unknown, signal: AbortSignal): TrialOutcome {
  if (signal.aborted || !(error instanceof WarehouseError) || error.kind === 'cancelled') throw error
  const reason = error.kind === 'denied' ? 'denied' : error.kind === 'unknown_name' ? 'no_database' : 'other'
  return { kind: 'not_run', reason, message: error.message }
}

/** Returns undefined for an error of the warehouse, because there may be no pipelines here. */
function ignoreAway(signal: AbortSignal): (error: unknown) => undefined {
  return error => {
    if (signal.aborted || !(error instanceof WarehouseError)) throw error
    return undefined
  }
}
