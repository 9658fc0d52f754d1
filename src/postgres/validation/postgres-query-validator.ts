import { z } from 'zod'
import type { CostEstimate } from '../../warehouse/cost/estimate.ts'
import { WarehouseError } from '../../warehouse/error.ts'
import { ERROR_ROUTES } from '../../warehouse/error-routes.ts'
import type { AllowedQuery, QueryValidator, ValidationContext, ValidationVerdict } from '../../warehouse/query-validator.ts'
import type { Schema } from '../../warehouse/schema.ts'
import { qualifiedName } from '../../warehouse/table-names.ts'
import type { DataWarehouse } from '../../warehouse/warehouse.ts'
import { costOfPlan, planSchema, type RelationSize, scannedRelations } from '../cost/plan-cost.ts'
import { POSTGRES_LIMITS } from '../limits.ts'
import { explainFailure } from './explain-failure.ts'

const { planMs } = POSTGRES_LIMITS.validation

interface PostgresValidatorDeps {
  readonly warehouse: Pick<DataWarehouse, 'read'>
  /** The maximum number of rows of a result, which the cost estimate assumes. */
  readonly maxRows: number
}

/**
 * Lets the server plan the exact text that would run. The guard has already found mistakes in names and types. Planning finds
 * those that need constants, such as a division by zero, and the cost. It reads no table.
 */
export class PostgresQueryValidator implements QueryValidator {
  readonly #deps: PostgresValidatorDeps

  constructor(deps: PostgresValidatorDeps) {
    this.#deps = deps
  }

  async check(
    query: AllowedQuery,
    { schema, whole = schema }: ValidationContext,
    signal: AbortSignal,
  ): Promise<ValidationVerdict> {
    try {
      return { verdict: 'valid', cost: { verdict: 'estimated', estimate: await this.#estimate(query, whole, signal) } }
    } catch (error) {
      if (signal.aborted || !(error instanceof WarehouseError)) throw error
      const reason = error.message
      const cost = { verdict: 'unestimated', reason } as const
      // The guard has let the server analyze the query, so its names and types are right.
      if (error.kind === 'timeout') return { verdict: 'valid', cost }
      if (ERROR_ROUTES[error.kind].route !== 'regenerate') return { verdict: 'unchecked', reason, cost }
      return { verdict: 'invalid', kind: error.kind, ...explainFailure(error, query, schema) }
    }
  }

  readonly explain = explainFailure

  async #estimate({ canonical }: AllowedQuery, schema: Schema, signal: AbortSignal): Promise<CostEstimate> {
    const limited = `SELECT * FROM (\n${canonical}\n) AS clew_rows LIMIT ${this.#deps.maxRows + 1}`
    const { rows } = await this.#deps.warehouse.read(
      { sql: `EXPLAIN (VERBOSE, FORMAT JSON) ${limited}`, timeoutMs: planMs },
      signal,
    )
    const plan = planSchema.parse(JSON.parse(z.string().parse(rows[0]?.[0])))
    const known = schema.tables.flatMap((table): readonly [string, RelationSize][] => {
      const rowBytes = table.columns.reduce((sum, { bytesPerRow = 0 }) => sum + bytesPerRow, 0)
      const name = qualifiedName(table)
      return table.rows === null || rowBytes === 0 ? [] : [[name, { table: name, rows: table.rows, rowBytes }]]
    })
    const others = scannedRelations(plan).filter(relation => !known.some(([name]) => name === relation))
    const sizes = new Map([...known, ...(others.length === 0 ? [] : await this.#sizesOf(others, signal))])
    return costOfPlan(plan, relation => sizes.get(relation) ?? { table: relation, rows: undefined, rowBytes: 0 })
  }

  /** Returns the sizes of relations that the schema does not show, such as partitions and tables behind views. */
  async #sizesOf(relations: readonly string[], signal: AbortSignal): Promise<readonly [string, RelationSize][]> {
    const names = relations.map(relation => `'${relation.replaceAll("'", "''")}'`).join(', ')
    const sql = `SELECT n.nspname || '.' || c.relname, coalesce(m.nspname || '.' || r.relname, n.nspname || '.' || c.relname), c.reltuples::float8, c.relpages
        * pg_catalog.current_setting('block_size')::float8
      FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
        LEFT JOIN pg_catalog.pg_class r ON r.oid = pg_catalog.pg_partition_root(c.oid)
        LEFT JOIN pg_catalog.pg_namespace m ON m.oid = r.relnamespace
      WHERE n.nspname || '.' || c.relname IN (${names})`
    const { rows } = await this.#deps.warehouse.read({ sql, timeoutMs: planMs }, signal)
    return sizesSchema.parse(rows).map(([relation, table, count, bytes]) => {
      return [relation, { table, rows: count < 0 ? undefined : count, rowBytes: bytes / Math.max(1, count) }]
    })
  }
}

const sizesSchema = z.array(z.tuple([z.string(), z.string(), z.number(), z.number()]))
