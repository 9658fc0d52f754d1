import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { columnOriginsSchema } from '../clickhouse/catalog/column-origins.ts'
import { sqlLiteral } from '../clickhouse/catalog/plain-text.ts'
import { quoteIdentifier, quoteTable } from '../clickhouse/catalog/quote-identifier.ts'
import type { ColumnLineage } from '../clickhouse/column-lineage/column-lineage.ts'
import { readColumnLineage } from '../clickhouse/column-lineage/read-column-lineage.ts'
import { WarehouseError } from '../clickhouse/warehouse-error.ts'
import { inParts } from './in-parts.ts'
import { OWN_TABLE } from './job-definition.ts'
import type { TableName } from './operation-log.ts'
import { PipelineError } from './pipeline-error.ts'
import { readOrigins } from './read-origins.ts'
import type { StateWarehouse } from './state-database.ts'

/**
 * Who made a table: stands in its comment, which travels with it when it is renamed. Whatever has none is not Clew's, and is never dropped or replaced.
 * `table` is the name under which it was filled, `origins` what its columns are made of, by which the catalog knows copies of private ones (`privateCopyTest`);
 * tables of earlier versions have neither.
 */
const markSchema = z.object({
  clew_job: z.string(),
  job_name: z.string(),
  part: z.string(),
  table: z.string().optional(),
  origins: columnOriginsSchema.optional().catch(undefined),
})
export type TableMark = z.infer<typeof markSchema>

export interface MarkedTable {
  readonly table: TableName
  /** Undefined for a table that Clew has not made. */
  readonly mark: TableMark | undefined
  readonly rows: number
  readonly bytes: number
  /** Whether its rows are its own; else it is a view or the like, and reads others. */
  readonly holdsRows: boolean
}

/** A table that is a job's own and not published. */
export type OwnTable = MarkedTable & { readonly mark: TableMark }

/** Where ClickHouse 26 fills a table that is created from a SELECT, with its comment; of such a query that was cut off with the server it stays. */
const BEING_FILLED = /^_tmp_replace_/

/** In characters: statements may have 262,144 bytes. Where the origins of columns do not fit, they count as unknown. */
const MOST_OF_A_COMMENT = 60_000

/** A query that does not end in this time is left to end by itself. */
const KILL_WAIT_MS = 10_000
/** To parse one query takes milliseconds. */
const TREE_TIMEOUT_MS = 2_000
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

  /** A name that no table has: each try at a part fills a table of its own, so that what a killed runner still has under way in the server never meets it. */
  newOwnTable(): TableName {
    return { database: this.database, name: `t_${randomBytes(8).toString('hex')}` }
  }

  named(name: string): TableName {
    return { database: this.database, name }
  }

  /** The lines of a query's tree as it is written: no name is looked up in it, and none of it runs. */
  async queryTree(sql: string, signal: AbortSignal): Promise<readonly string[]> {
    const explain = `EXPLAIN QUERY TREE run_passes = 0 SELECT * FROM (\n${sql}\n)`
    const query = { sql: explain, database: this.database, timeoutMs: TREE_TIMEOUT_MS }
    const { rows } = await this.#warehouse.readOwn(query, signal)
    return rows.flatMap(([line]) => String(line).split('\n'))
  }

  /** Fills a new table with the rows of a SELECT. */
  async create(
    mark: TableMark,
    { table, sql, orderBy }: { readonly table: TableName; readonly sql: string; readonly orderBy: readonly string[] },
    signal: AbortSignal,
  ): Promise<MarkedTable> {
    const own = { ...mark, table: table.name }
    const sortingKey = orderBy.length === 0 ? 'tuple()' : `(${orderBy.map(quoteIdentifier).join(', ')})`
    const comment = sqlLiteral(JSON.stringify(own))
    await this.#warehouse.write(
      {
        sql: `CREATE TABLE ${quoteTable(table)} ENGINE = MergeTree ORDER BY ${sortingKey} SETTINGS allow_nullable_key = 1 COMMENT ${comment} AS\n${sql}`,
        database: this.database,
        queryId: queryIdOf(own),
        timeoutMs: OPERATION_TIMEOUT_MS,
      },
      signal,
    )
    const made = await this.find(table, signal)
    if (made === undefined) throw new PipelineError(`${table.name} was dropped while it was being filled.`, { kind: 'operation' })
    return made
  }

  /**
   * Which columns feed those of a table that `create` has just filled, while what it reads is still there; undefined where that is not known. Writes into the table's mark what
   * they are made of.
   */
  async traceColumns(table: TableName, mark: TableMark, sql: string, signal: AbortSignal): Promise<ColumnLineage | undefined> {
    const lineage = await readColumnLineage(this.#warehouse, { sql, database: this.database }, signal)
    if (lineage === undefined) return undefined
    const read = lineage.fields.flatMap(({ inputs }) => inputs.flatMap(input => readingsOf(input.table)))
    const origins = await readOrigins(this.#warehouse, lineage, await this.findAll(read, signal), signal)
    const comment = JSON.stringify({ ...mark, table: table.name, origins })
    if (comment.length <= MOST_OF_A_COMMENT)
      await this.#write(`ALTER TABLE ${quoteTable(table)} MODIFY COMMENT ${sqlLiteral(comment)}`, signal)
    return lineage
  }

  /**
   * Puts a table that was filled in the place of a published one, at once; what stood there is dropped.
   * @throws PipelineError `refused` where a table stands there that Clew has not made for a job of that name
   */
  async publish(own: TableName, mark: TableMark, target: TableName, signal: AbortSignal): Promise<MarkedTable> {
    const there = await this.find(target, signal)
    if (there !== undefined) refuseOthers(there, mark)
    const exchange = () => this.#write(`EXCHANGE TABLES ${quoteTable(own)} AND ${quoteTable(target)}`, signal)
    if (there === undefined) await this.#write(`RENAME TABLE ${quoteTable(own)} TO ${quoteTable(target)}`, signal)
    else {
      await exchange()
      // Nothing is locked: somebody may have put a table there in between.
      const displaced = await this.find(own, signal)
      if (displaced !== undefined && displaced.mark?.job_name !== mark.job_name) {
        await exchange()
        refuseOthers({ ...displaced, table: target }, mark)
      }
      await this.#drop(own, signal)
    }
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
    const all = [...new Set(tables.map(({ database, name }) => `${database}.${name}`))]
    const databases = [...new Set(tables.map(({ database }) => database))]
    return inParts(all, names => this.#select(where, { names, databases, dot: '.' }, signal))
  }

  /** Every table that is a job's own, whoever's job that was; also those that are only being filled. */
  async own(signal: AbortSignal): Promise<readonly OwnTable[]> {
    const where = "database = {database:String} AND (startsWith(name, 't_') OR startsWith(name, '_tmp_replace_'))"
    const tables = await this.#select(where, { database: this.database }, signal)
    return tables.filter(isOwn)
  }

  /** Drops a table that is a job's own. */
  async dropOwn({ table }: OwnTable, signal: AbortSignal): Promise<void> {
    await this.#drop(table, signal)
  }

  /** Ends the query that may still fill a table of a job's own, and drops what there is of it. */
  async discard({ table, mark }: Pick<OwnTable, 'table' | 'mark'>, signal: AbortSignal): Promise<void> {
    const named = { database: this.database, name: mark.table ?? table.name }
    await this.#endQuery(queryIdOf({ ...mark, table: named.name }), signal)
    for (const each of BEING_FILLED.test(table.name) ? [table, named] : [table]) {
      const there = await this.find(each, signal)
      if (there !== undefined && isOwn(there) && there.mark.job_name === mark.job_name) await this.#drop(there.table, signal)
    }
  }

  /** A user without the right to end queries still has its tables dropped. */
  async #endQuery(queryId: string, signal: AbortSignal): Promise<void> {
    const sql = 'KILL QUERY WHERE query_id = {id:String} SYNC'
    const statement = { sql, parameters: { id: queryId }, database: this.database, timeoutMs: KILL_WAIT_MS }
    await this.#warehouse.write(statement, signal).catch((error: unknown) => {
      if (!(error instanceof WarehouseError) || signal.aborted) throw error
    })
  }

  async #drop(table: TableName, signal: AbortSignal): Promise<void> {
    // A server refuses to drop large tables (50 GB); that these are to go has been decided here.
    await this.#write(`DROP TABLE IF EXISTS ${quoteTable(table)} SYNC SETTINGS max_table_size_to_drop = 0`, signal)
  }

  async #write(sql: string, signal: AbortSignal): Promise<void> {
    await this.#warehouse.write({ sql, database: this.database }, signal)
  }

  async #select(
    where: string,
    parameters: Readonly<Record<string, string | readonly string[]>>,
    signal: AbortSignal,
  ): Promise<readonly MarkedTable[]> {
    const sql = `SELECT database, name, comment, toString(ifNull(total_rows, 0)), toString(ifNull(total_bytes, 0)), engine FROM system.tables WHERE ${where} ORDER BY name`
    const { rows } = await this.#warehouse.readOwn({ sql, parameters, database: this.database }, signal)
    return rows.map(([database, name, comment, tableRows, bytes, engine]) => ({
      table: { database: String(database), name: String(name) },
      mark: markOf(String(comment)),
      rows: Number(tableRows),
      bytes: Number(bytes),
      holdsRows: String(engine).endsWith('MergeTree'),
    }))
  }
}

/** The tables that a whole name may mean: a database's may have dots too. */
function readingsOf(name: string): readonly TableName[] {
  const dots = [...name.matchAll(/\./g)].map(({ index }) => index)
  return dots.map(dot => ({ database: name.slice(0, dot), name: name.slice(dot + 1) }))
}

function isOwn(table: MarkedTable): table is OwnTable {
  return table.mark !== undefined && (OWN_TABLE.test(table.table.name) || BEING_FILLED.test(table.table.name))
}

/** By which the query that fills a table is found again. */
function queryIdOf({ clew_job: job, part, table }: TableMark): string {
  return `${job}-${part}-${table}`
}

/** @throws PipelineError `refused` */
function refuseOthers({ table, mark }: MarkedTable, own: TableMark): void {
  if (mark?.job_name === own.job_name) return
  const owner = mark === undefined ? 'Clew did not make it' : `it belongs to the job ${mark.job_name}`
  throw new PipelineError(
    `${table.database}.${table.name} is not replaced: ${owner}. Give the input or the target another name, or move that table away.`,
    { kind: 'refused' },
  )
}

function markOf(comment: string): TableMark | undefined {
  if (!comment.startsWith('{"clew_job":')) return undefined
  try {
    return markSchema.parse(JSON.parse(comment))
  } catch {
    return undefined
  }
}
