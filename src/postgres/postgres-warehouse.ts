import { randomUUID } from 'node:crypto'
import { ExponentialBackoff, handleWhen, retry } from 'cockatiel'
import type { ClientBase } from 'pg'
import { errorMessage } from '../base/errors.ts'
import type { Logger } from '../base/logger.ts'
import { breather, eachInSlices } from '../base/slices.ts'
import { WarehouseError } from '../warehouse/error.ts'
import { timedQuery } from '../warehouse/timed-query.ts'
import type { Cell, DataWarehouse, QueryResult, ReadQuery } from '../warehouse/warehouse.ts'
import type { PostgresConnections } from './connection.ts'
import { POSTGRES_LIMITS } from './limits.ts'
import { isWorthRepeating } from './server-failure.ts'
import { readResult, type TextResult } from './statement.ts'
import { PostgresTypes } from './values/postgres-types.ts'
import { nullable } from './values/value-form.ts'

const { attempts, ...delays } = POSTGRES_LIMITS.connection.retry
const { deadlineGraceMs: graceMs } = POSTGRES_LIMITS.query
/** Repeats a read if the connection was refused or lost. */
const REPEATED = retry(handleWhen(isWorthRepeating), { maxAttempts: attempts, backoff: new ExponentialBackoff(delays) })

export interface PostgresWarehouseDeps {
  readonly connections: PostgresConnections
  readonly maxBytes: number
  readonly timeoutMs: number
  /**
   * Compares a query with what the guard has judged, in the transaction in which it runs. Throws a WarehouseError if, for example,
   * a table has become a view in the meantime.
   */
  readonly recheck: (client: ClientBase, sql: string) => Promise<void>
  readonly logger: Logger
}

/** One database of a Postgres server, as one role that may only read. */
export class PostgresWarehouse implements DataWarehouse {
  readonly description: string
  readonly #deps: PostgresWarehouseDeps
  readonly #types = new PostgresTypes()

  constructor(deps: PostgresWarehouseDeps) {
    this.description = deps.connections.description
    this.#deps = deps
  }

  async read(query: ReadQuery, signal: AbortSignal): Promise<QueryResult> {
    const queryId = query.queryId ?? randomUUID()
    const timeoutMs = query.timeoutMs ?? this.#deps.timeoutMs
    const { result, elapsedMs } = await timedQuery({ queryId, timeoutMs, graceMs }, signal, async (ended, onSent) => {
      const texts = await REPEATED.execute(() => this.#run({ ...query, timeoutMs }, onSent, ended), ended)
      query.room?.took(texts.bytes)
      return this.#toQueryResult(texts, query.maxRows, ended)
    }).catch((error: unknown) => {
      this.#deps.logger.debug({ queryId, error: errorMessage(error) }, 'query failed')
      throw error
    })
    return { ...result, elapsedMs, queryId, rowsRead: 0, bytesRead: 0 }
  }

  close(): Promise<void> {
    return this.#deps.connections.close()
  }

  #run(query: ReadQuery & { readonly timeoutMs: number }, onSent: () => void, signal: AbortSignal): Promise<TextResult> {
    const { sql, maxRows, room, timeoutMs, database, parameters, roles = [] } = query
    if (parameters !== undefined) throw refused('A query to a Postgres source has no parameters: write the values into its text.')
    if (roles.length > 1) throw refused('A query to a Postgres source runs as one server role: grant the others to it.')
    const maxBytes = Math.min(this.#deps.maxBytes, room?.bytesLeft() ?? Number.POSITIVE_INFINITY)
    const limited = maxRows === undefined ? sql : `SELECT * FROM (\n${sql}\n) AS clew_rows LIMIT ${maxRows + 1}`
    return this.#deps.connections.withTransaction(
      { timeoutMs, role: roles[0], schema: database, printTrees: true },
      async client => {
        onSent()
        query.onSent?.()
        await this.#deps.recheck(client, sql)
        await client.query('SET LOCAL debug_print_parse = off')
        return readResult(client, limited, maxBytes)
      },
      signal,
    )
  }

  async #toQueryResult({ columns, rows: texts, isCut }: TextResult, maxRows: number | undefined, signal: AbortSignal) {
    // Without a single complete row, a cut result would look empty.
    if (isCut && texts.length === 0) throw refused('One row of the result is larger than a result may be.', 'resource')
    const kept = texts.slice(0, maxRows)
    const types = columns.map(({ dataTypeID }) => dataTypeID)
    await this.#types.lookUp(this.#deps.connections, types, signal)
    const forms = columns.map(column => this.#types.formOf(column.dataTypeID, column.dataTypeModifier))
    const observe = (row: TextResult['rows'][number]) => {
      for (const [at, text] of row.entries()) if (text !== null) forms[at]?.observe(text)
    }
    const cellsOf = (row: TextResult['rows'][number]) =>
      row.map((text, at) => (text === null ? null : (forms[at]?.cell(text) ?? null)))
    const breathe = breather()
    await eachInSlices(kept, observe, breathe)
    const rows: (readonly Cell[])[] = []
    await eachInSlices(kept, row => void rows.push(cellsOf(row)), breathe)
    return {
      // Any column of a result may be NULL, such as after an outer join.
      columns: columns.map(({ name }, at) => ({ name, type: nullable(forms[at]?.type() ?? 'String') })),
      rows,
      truncated: isCut || kept.length < texts.length,
    }
  }
}

function refused(message: string, kind: 'query' | 'resource' = 'query'): WarehouseError {
  return new WarehouseError(message, { kind })
}
