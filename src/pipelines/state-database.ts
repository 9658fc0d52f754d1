import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { ConfigurationError } from '../base/errors.ts'
import { WarehouseError } from '../warehouse/error.ts'
import { quoteIdentifier } from '../warehouse/sql/quote-identifier.ts'
import type { Warehouse } from '../warehouse/warehouse.ts'

/** The methods of a warehouse that connect as the user with write access to Clew's own tables. */
export type StateWarehouse = Pick<Warehouse, 'readOwn' | 'write'>

const FILE_NAME = /^(\d{4})-[a-z0-9-]+\.sql$/
const appliedSchema = z.object({ number: z.number(), checksum: z.string() })

/** Parses a DateTime64(3, 'UTC') as ClickHouse prints it: `2026-10-03 14:05:00.000`. */
export const timeSchema = z.string().transform(text => new Date(`${text.replace(' ', 'T')}Z`))

export function timeText(time: Date): string {
  return time.toISOString().replace('T', ' ').replace('Z', '')
}

/**
 * Returns the revision of a runner's write. A later runner always gets higher revisions, even if its clock is behind. Within one
 * runner, a later write gets a higher revision.
 * @param runner the revision that the job had at the runner's start, below 2^19
 * @param at Unix time in milliseconds
 * @param step orders two writes in the same millisecond
 * @returns a UInt64 in digits
 */
export function fencedRevision(runner: number, at: number, step: 0 | 1 = 0): string {
  return ((BigInt(runner) << 45n) + BigInt(at * 10 + step)).toString()
}

/** Reads and writes the tables in which Clew stores its own state. They are in a database of their own. */
export class StateDatabase {
  readonly #warehouse: StateWarehouse
  readonly #name: string

  constructor(warehouse: StateWarehouse, name: string) {
    this.#warehouse = warehouse
    this.#name = name
  }

  /**
   * Inserts rows into a table. Each row is an object, keyed by column name.
   * @throws WarehouseError
   */
  async insert(table: string, rows: readonly Readonly<Record<string, unknown>>[], signal: AbortSignal): Promise<void> {
    if (rows.length === 0) return
    const lines = rows.map(row => JSON.stringify(row)).join('\n')
    const sql = `INSERT INTO ${quoteIdentifier(table)} FORMAT JSONEachRow\n${lines}`
    await this.#explained(this.#warehouse.write({ sql, database: this.#name }, signal))
  }

  /**
   * Runs one statement without a result.
   * @throws WarehouseError
   */
  async run(sql: string, parameters: Readonly<Record<string, string | number>>, signal: AbortSignal): Promise<void> {
    await this.#explained(this.#warehouse.write({ sql, parameters, database: this.#name }, signal))
  }

  /**
   * Runs a query and returns its rows as objects, keyed by column name.
   * @throws WarehouseError; ConfigurationError for a row that does not fit the schema, because another version of Clew wrote it
   */
  async select<Row extends z.ZodType>(
    schema: Row,
    sql: string,
    parameters: Readonly<Record<string, string | number | readonly string[]>>,
    signal: AbortSignal,
  ): Promise<readonly z.output<Row>[]> {
    const { columns, rows } = await this.#explained(this.#warehouse.readOwn({ sql, parameters, database: this.#name }, signal))
    const parsed = z
      .array(schema)
      .safeParse(rows.map(row => Object.fromEntries(row.map((cell, at) => [columns[at]?.name, cell]))))
    if (parsed.success) return parsed.data
    throw new ConfigurationError(
      `The tables in ${this.#name} are not those of this version of Clew: run \`clew migrate\`. If that does not help, a newer version of Clew has written them.`,
      { cause: parsed.error },
    )
  }

  /**
   * Applies the numbered migration files that have not been applied yet, in order. All statements may run twice, so a file that
   * was interrupted can be applied again.
   * @returns the names of the applied files
   * @throws ConfigurationError if an applied file has changed since; WarehouseError
   */
  async migrate(directory: string, now: () => number, signal: AbortSignal): Promise<readonly string[]> {
    const write = (sql: string, database?: string) =>
      this.#warehouse.write({ sql, ...(database === undefined ? {} : { database }) }, signal)
    await write(`CREATE DATABASE IF NOT EXISTS ${quoteIdentifier(this.#name)}`, 'default')
    await write(
      "CREATE TABLE IF NOT EXISTS migrations (number UInt32, name String, checksum String, applied_at DateTime64(3, 'UTC')) ENGINE = MergeTree ORDER BY number",
      this.#name,
    )
    const earlier = await this.select(appliedSchema, 'SELECT number, checksum FROM migrations', {}, signal)
    const applied: string[] = []
    for (const file of await migrationFiles(directory)) {
      const known = earlier.find(({ number }) => number === file.number)
      if (known?.checksum === file.checksum) continue
      if (known !== undefined) {
        throw new ConfigurationError(
          `migrations/${file.name} is not the one that was applied to ${this.#name}: put it back as it was, and make changes in a new file.`,
        )
      }
      for (const statement of file.statements) await write(statement, this.#name)
      const { number, name, checksum } = file
      await this.insert('migrations', [{ number, name, checksum, applied_at: timeText(new Date(now())) }], signal)
      applied.push(name)
    }
    return applied
  }

  /**
   * Replaces errors that an operator can correct with errors that say how.
   * @throws ConfigurationError, WarehouseError
   */
  async #explained<T>(asked: Promise<T>): Promise<T> {
    try {
      return await asked
    } catch (error) {
      if (!(error instanceof WarehouseError)) throw error
      if (error.kind === 'unknown_name') {
        throw new ConfigurationError(`The database ${this.#name} or a table in it is missing: run \`clew migrate\`.`, {
          cause: error,
        })
      }
      if (error.kind === 'denied') {
        throw new ConfigurationError(
          `The user may not read and write ${this.#name}: set CLEW_WRITER_URL to a user that may. The user of CLICKHOUSE_URL need not.`,
          { cause: error },
        )
      }
      throw error
    }
  }
}

interface MigrationFile {
  readonly number: number
  readonly name: string
  readonly checksum: string
  readonly statements: readonly string[]
}

async function migrationFiles(directory: string): Promise<readonly MigrationFile[]> {
  const names = (await readdir(directory)).filter(name => FILE_NAME.test(name)).sort()
  return Promise.all(
    names.map(async name => {
      const text = await readFile(join(directory, name), 'utf8')
      const statements = text
        .replace(/^--.*$/gm, '')
        .split(/;\s*$/m)
        .map(statement => statement.trim())
        .filter(statement => statement !== '')
      return { number: Number(name.slice(0, 4)), name, checksum: createHash('sha256').update(text).digest('hex'), statements }
    }),
  )
}
