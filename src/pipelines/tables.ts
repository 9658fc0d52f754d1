import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { readColumnLineage } from '../clickhouse/column-lineage/read-column-lineage.ts'
import type { ColumnLineage } from '../warehouse/column-lineage.ts'
import { columnOriginsSchema } from '../warehouse/column-origins.ts'
import { WarehouseError } from '../warehouse/error.ts'
import type { TableName } from '../warehouse/schema.ts'
import { sqlLiteral } from '../warehouse/sql/plain-text.ts'
import { quoteIdentifier, quoteTable } from '../warehouse/sql/quote-identifier.ts'
import type { QueryResult } from '../warehouse/warehouse.ts'
import { PipelineError } from './error.ts'
import { OWN_TABLE } from './jobs/definition.ts'
import { PIPELINES_LIMITS } from './limits.ts'
import { queryInParts } from './query-in-parts.ts'
import { readOrigins } from './read-origins.ts'
import type { StateWarehouse } from './state-database.ts'

/**
 * The mark in the comment of a table that Clew made. It stays when the table is renamed. A table without a mark is not Clew's,
 * and is never dropped or replaced. `table` is the table's first name. `origins` are the sources of its columns, from which the
 * catalog recognizes copies of private columns (`privateCopyTest`). A table that an earlier version of Clew made lacks both.
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
  /** The mark in the table's comment. Undefined for a table of another program. */
  readonly mark: TableMark | undefined
  readonly rows: number
  readonly bytes: number
  /** False for a view or a similar table that stores no rows but reads other tables. */
  readonly holdsRows: boolean
}

/** A table that a job made for itself. It has a temporary name and is not published. */
export type OwnTable = MarkedTable & { readonly mark: TableMark }

/**
 * Matches the temporary name under which ClickHouse 26 fills a new table from a SELECT. Such a table already has its comment. It
 * keeps the temporary name if the server dies during the query.
 */
const BEING_FILLED = /^_tmp_replace_/

/** Creates, publishes and drops the tables of pipelines. They are in a database of their own. Methods throw WarehouseError. */
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

  /**
   * Returns a new table name. Each attempt at a part fills a new table, so the query of a killed runner does no harm, even if the
   * server still runs it.
   */
  newOwnTable(): TableName {
    return { database: this.database, name: `t_${randomBytes(8).toString('hex')}` }
  }

  named(name: string): TableName {
    return { database: this.database, name }
  }

  /** Returns the lines of a query's syntax tree. The engine does not resolve the names and does not run the query. */
  async queryTree(sql: string, signal: AbortSignal): Promise<readonly string[]> {
    const explain = `EXPLAIN QUERY TREE run_passes = 0 SELECT * FROM (\n${sql}\n)`
    const query = { sql: explain, database: this.database, timeoutMs: PIPELINES_LIMITS.treeMs }
    const { rows } = await this.#warehouse.readOwn(query, signal)
    return rows.flatMap(([line]) => String(line).split('\n'))
  }

  /** Creates a table and fills it with the rows of a SELECT. */
  async create(
    mark: TableMark,
    {
      table,
      sql,
      orderBy,
      timeoutMs = PIPELINES_LIMITS.operationMs,
    }: {
      readonly table: TableName
      readonly sql: string
      readonly orderBy: readonly string[]
      readonly timeoutMs?: number
    },
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
        timeoutMs,
      },
      signal,
    )
    const made = await this.find(table, signal)
    if (made === undefined) throw new PipelineError(`${table.name} was dropped while it was being filled.`, { kind: 'operation' })
    return made
  }

  /** Creates a table of its own with the columns and rows of a result. */
  async createFrom(
    mark: TableMark,
    { columns, rows }: Pick<QueryResult, 'columns' | 'rows'>,
    signal: AbortSignal,
  ): Promise<TableName> {
    const table = this.newOwnTable()
    const own = { ...mark, table: table.name }
    const typed = columns.map(({ name, type }) => `${quoteIdentifier(name)} ${type}`).join(', ')
    const comment = sqlLiteral(JSON.stringify(own))
    await this.#write(
      `CREATE TABLE ${quoteTable(table)} (${typed}) ENGINE = MergeTree ORDER BY tuple() COMMENT ${comment}`,
      signal,
    )
    const lines = rows.map(row => JSON.stringify(row)).join('\n')
    const sql = `INSERT INTO ${quoteTable(table)} FORMAT JSONCompactEachRow\n${lines}`
    if (rows.length > 0) await this.#warehouse.write({ sql, database: this.database, queryId: queryIdOf(own) }, signal)
    return table
  }

  /**
   * Finds the origins of a new table's columns, and writes them into the table's mark. Returns undefined if the lineage of the
   * columns is unknown.
   */
  async traceColumns(table: TableName, mark: TableMark, sql: string, signal: AbortSignal): Promise<ColumnLineage | undefined> {
    const lineage = await readColumnLineage(this.#warehouse, { sql, database: this.database }, signal)
    if (lineage === undefined) return undefined
    const read = lineage.fields.flatMap(({ inputs }) => inputs.flatMap(input => readingsOf(input.table)))
    const origins = await readOrigins(this.#warehouse, lineage, await this.findAll(read, signal), signal)
    const comment = JSON.stringify({ ...mark, table: table.name, origins })
    if (comment.length <= PIPELINES_LIMITS.commentCharacters)
      await this.#write(`ALTER TABLE ${quoteTable(table)} MODIFY COMMENT ${sqlLiteral(comment)}`, signal)
    return lineage
  }

  /**
   * Publishes a filled table in one atomic step, in place of the table that was published before, and drops the old table.
   * @throws PipelineError `refused` if the existing table is not Clew's, or belongs to a job of another name
   */
  async publish(own: TableName, mark: TableMark, target: TableName, signal: AbortSignal): Promise<MarkedTable> {
    const there = await this.find(target, signal)
    if (there !== undefined) refuseOthers(there, mark)
    const exchange = () => this.#write(`EXCHANGE TABLES ${quoteTable(own)} AND ${quoteTable(target)}`, signal)
    if (there === undefined) await this.#write(`RENAME TABLE ${quoteTable(own)} TO ${quoteTable(target)}`, signal)
    else {
      await exchange()
      // The warehouse has no locks. If another program has created a table of this name since the first check, the exchange is
      // undone.
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

  /** Counts the rows of a view or the like, which the server does not know. */
  async count(table: TableName, signal: AbortSignal): Promise<number> {
    const sql = `SELECT count() FROM ${quoteTable(table)}`
    const query = { sql, database: this.database, timeoutMs: PIPELINES_LIMITS.operationMs }
    return Number((await this.#warehouse.readOwn(query, signal)).rows[0]?.[0])
  }

  /** Looks up tables, also in different databases. The result lacks tables that do not exist. */
  findAll(tables: readonly TableName[], signal: AbortSignal): Promise<readonly MarkedTable[]> {
    const where = 'has({names:Array(String)}, concat(database, {dot:String}, name)) AND database IN {databases:Array(String)}'
    const all = [...new Set(tables.map(({ database, name }) => `${database}.${name}`))]
    const databases = [...new Set(tables.map(({ database }) => database))]
    return queryInParts(all, names => this.#select(where, { names, databases, dot: '.' }, signal))
  }

  /** Returns the unpublished tables of all jobs, including tables that a query is still filling. */
  async own(signal: AbortSignal): Promise<readonly OwnTable[]> {
    const where = "database = {database:String} AND (startsWith(name, 't_') OR startsWith(name, '_tmp_replace_'))"
    const tables = await this.#select(where, { database: this.database }, signal)
    return tables.filter(isOwn)
  }

  async dropOwn({ table }: OwnTable, signal: AbortSignal): Promise<void> {
    await this.#drop(table, signal)
  }

  /** Drops an unpublished table of a job. First stops the query that may still be filling it. */
  async discard({ table, mark }: Pick<OwnTable, 'table' | 'mark'>, signal: AbortSignal): Promise<void> {
    const named = { database: this.database, name: mark.table ?? table.name }
    await this.#endQuery(queryIdOf({ ...mark, table: named.name }), signal)
    for (const each of BEING_FILLED.test(table.name) ? [table, named] : [table]) {
      const there = await this.find(each, signal)
      if (there !== undefined && isOwn(there) && there.mark.job_name === mark.job_name) await this.#drop(there.table, signal)
    }
  }

  /**
   * Ends a query, if it is still running. Failures are ignored, because a user who is not allowed to end queries must still be
   * able to drop tables.
   */
  async #endQuery(queryId: string, signal: AbortSignal): Promise<void> {
    const sql = 'KILL QUERY WHERE query_id = {id:String} SYNC'
    const statement = { sql, parameters: { id: queryId }, database: this.database, timeoutMs: PIPELINES_LIMITS.killWaitMs }
    await this.#warehouse.write(statement, signal).catch((error: unknown) => {
      if (!(error instanceof WarehouseError) || signal.aborted) throw error
    })
  }

  async #drop(table: TableName, signal: AbortSignal): Promise<void> {
    // By default, a server refuses to drop a table above 50 GB. Clew has already decided to drop it, so the limit is lifted.
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

/** Returns the tables that a full name may mean. `a.b.c` may mean `b.c` in database `a`, or `c` in database `a.b`. */
function readingsOf(name: string): readonly TableName[] {
  const dots = [...name.matchAll(/\./g)].map(({ index }) => index)
  return dots.map(dot => ({ database: name.slice(0, dot), name: name.slice(dot + 1) }))
}

function isOwn(table: MarkedTable): table is OwnTable {
  return table.mark !== undefined && (OWN_TABLE.test(table.table.name) || BEING_FILLED.test(table.table.name))
}

/** Returns the id of the query that fills a table. A query with a known id can be stopped. */
function queryIdOf({ clew_job: job, part, table }: TableMark): string {
  return `${job}-${part}-${table}`
}

/**
 * Refuses to touch a table that Clew did not make for a job of the same name.
 * @throws PipelineError `refused`
 */
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
