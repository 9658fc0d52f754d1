import { createHash } from 'node:crypto'
import { z } from 'zod'
import { sqlLiteral } from '../clickhouse/catalog/plain-text.ts'
import { quoteIdentifier, quoteTable } from '../clickhouse/catalog/quote-identifier.ts'
import { OWN_TABLE } from './job-definition.ts'
import type { TableName } from './operation-log.ts'
import { PipelineError } from './pipeline-error.ts'
import type { StateWarehouse } from './state-database.ts'

/** Who made a table: stands in its comment, which travels with it when it is renamed. Whatever has none is not Clew's, and is never dropped or replaced. */
const markSchema = z.object({ clew_job: z.string(), job_name: z.string(), part: z.string() })
export type TableMark = z.infer<typeof markSchema>

export interface MarkedTable {
  readonly table: TableName
  /** Undefined for a table that Clew has not made. */
  readonly mark: TableMark | undefined
  readonly rows: number
  readonly bytes: number
}

/** Long as in `CREATE TABLE … AS SELECT` of a large table. */
const OPERATION_TIMEOUT_MS = 6 * 3_600_000

/** The tables of pipelines, in their own database. Methods throw WarehouseError. */
export class PipelineTables {
  readonly database: string
  readonly #warehouse: StateWarehouse

  constructor(warehouse: StateWarehouse, database: string) {
    this.#warehouse = warehouse
    this.database = database
  }

  async createDatabase(signal: AbortSignal): Promise<void> {
    await this.#warehouse.write(
      { sql: `CREATE DATABASE IF NOT EXISTS ${quoteIdentifier(this.database)}`, database: 'default' },
      signal,
    )
  }

  /** The table for a job's part: the same each time it is asked for, so that what a killed runner left is found again. */
  ownTable({ clew_job: job, part }: TableMark): TableName {
    const id = createHash('sha256').update(`${job}/${part}`).digest('hex').slice(0, 16)
    return { database: this.database, name: `t_${id}` }
  }

  named(name: string): TableName {
    return { database: this.database, name }
  }

  /** Fills a part's own table with the rows of a SELECT, in place of what an earlier attempt left. */
  async create(
    mark: TableMark,
    { sql, orderBy, queryId }: { readonly sql: string; readonly orderBy: readonly string[]; readonly queryId: string },
    signal: AbortSignal,
  ): Promise<MarkedTable> {
    const table = this.ownTable(mark)
    await this.#drop(table, signal)
    const sortingKey = orderBy.length === 0 ? 'tuple()' : `(${orderBy.map(quoteIdentifier).join(', ')})`
    const comment = sqlLiteral(JSON.stringify(mark))
    await this.#warehouse.write(
      {
        sql: `CREATE TABLE ${quoteTable(table)} ENGINE = MergeTree ORDER BY ${sortingKey} SETTINGS allow_nullable_key = 1 COMMENT ${comment} AS\n${sql}`,
        database: this.database,
        queryId,
        timeoutMs: OPERATION_TIMEOUT_MS,
      },
      signal,
    )
    const made = await this.find(table, signal)
    if (made === undefined) throw new PipelineError(`${table.name} was dropped while it was filled.`, { kind: 'operation' })
    return made
  }

  /**
   * Puts a part's own table in the place of a published one, at once; what stood there is dropped. Doing it twice changes nothing more.
   * @throws PipelineError `refused` where a table stands there that Clew has not made for this job
   */
  async publish(mark: TableMark, target: TableName, signal: AbortSignal): Promise<MarkedTable> {
    const own = this.ownTable(mark)
    const there = await this.find(target, signal)
    if (there !== undefined && there.mark?.job_name !== mark.job_name) {
      const owner = there.mark === undefined ? 'Clew has not made it' : `it belongs to the job ${there.mark.job_name}`
      throw new PipelineError(
        `${target.database}.${target.name} is not replaced: ${owner}. Give the input or the target another name, or move that table away.`,
        { kind: 'refused' },
      )
    }
    const isPublished = there?.mark?.clew_job === mark.clew_job && there.mark.part === mark.part
    const names = `${quoteTable(own)} ${there === undefined ? 'TO' : 'AND'} ${quoteTable(target)}`
    if (!isPublished) await this.#write(`${there === undefined ? 'RENAME TABLE' : 'EXCHANGE TABLES'} ${names}`, signal)
    await this.#drop(own, signal)
    const published = await this.find(target, signal)
    if (published === undefined)
      throw new PipelineError(`${target.name} was dropped after it was published.`, { kind: 'operation' })
    return published
  }

  async find(table: TableName, signal: AbortSignal): Promise<MarkedTable | undefined> {
    return (await this.#select('database = {database:String} AND name = {name:String}', { ...table }, signal))[0]
  }

  /** Those of the tables that are there, whichever their database. */
  findAll(tables: readonly TableName[], signal: AbortSignal): Promise<readonly MarkedTable[]> {
    const where = 'has({names:Array(String)}, concat(database, {dot:String}, name)) AND database IN {databases:Array(String)}'
    const names = tables.map(({ database, name }) => `${database}.${name}`)
    const databases = [...new Set(tables.map(({ database }) => database))]
    return this.#select(where, { names, databases, dot: '.' }, signal)
  }

  /** Every table that is a job's own, whoever's job that was. */
  async own(signal: AbortSignal): Promise<readonly MarkedTable[]> {
    const tables = await this.#select(
      "database = {database:String} AND startsWith(name, 't_')",
      { database: this.database },
      signal,
    )
    return tables.filter(({ table, mark }) => mark !== undefined && OWN_TABLE.test(table.name))
  }

  /** Drops a table that is a job's own, and no other. */
  async dropOwn({ table, mark }: MarkedTable, signal: AbortSignal): Promise<void> {
    if (mark !== undefined && OWN_TABLE.test(table.name)) await this.#drop(table, signal)
  }

  async #drop(table: TableName, signal: AbortSignal): Promise<void> {
    await this.#write(`DROP TABLE IF EXISTS ${quoteTable(table)} SYNC`, signal)
  }

  async #write(sql: string, signal: AbortSignal): Promise<void> {
    await this.#warehouse.write({ sql, database: this.database }, signal)
  }

  async #select(
    where: string,
    parameters: Readonly<Record<string, string | readonly string[]>>,
    signal: AbortSignal,
  ): Promise<readonly MarkedTable[]> {
    const sql = `SELECT database, name, comment, toString(ifNull(total_rows, 0)), toString(ifNull(total_bytes, 0)) FROM system.tables WHERE ${where} ORDER BY name`
    const { rows } = await this.#warehouse.readOwn({ sql, parameters, database: this.database }, signal)
    return rows.map(([database, name, comment, tableRows, bytes]) => ({
      table: { database: String(database), name: String(name) },
      mark: markOf(String(comment)),
      rows: Number(tableRows),
      bytes: Number(bytes),
    }))
  }
}

function markOf(comment: string): TableMark | undefined {
  if (!comment.startsWith('{"clew_job":')) return undefined
  try {
    return markSchema.parse(JSON.parse(comment))
  } catch {
    return undefined
  }
}
