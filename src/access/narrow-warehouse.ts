import type { CostEstimate, TableCost } from '../warehouse/cost/estimate.ts'
import { estimateByCatalog } from '../warehouse/cost/estimate-by-catalog.ts'
import { WarehouseError } from '../warehouse/error.ts'
import type { AllowedQuery, QueryValidator } from '../warehouse/query-validator.ts'
import type { Schema } from '../warehouse/schema.ts'
import type { Warehouse } from '../warehouse/warehouse.ts'
import type { NarrowedSchema } from './narrow-schema.ts'

/** Replaces a server's error message if it may tell of tables that are hidden from the asker. */
export const BEHIND_A_VIEW = 'Something fails in what a view reads, or in a table that is not available.'

/**
 * Returns a warehouse that reads with the given server roles, and replaces errors that may tell of hidden tables.
 * @param narrowed returns the schema that was loaded last, or undefined before the first load; without a schema, every error is
 * replaced
 */
export function narrowWarehouse(
  warehouse: Pick<Warehouse, 'read'>,
  roles: readonly string[],
  narrowed: () => NarrowedSchema | undefined,
): Pick<Warehouse, 'read'> {
  return {
    async read(query, signal) {
      try {
        return await warehouse.read(roles.length === 0 ? query : { ...query, roles }, signal)
      } catch (error) {
        const sql = `${query.sql} ${Object.values(query.parameters ?? {}).join(' ')}`
        if (!(error instanceof WarehouseError) || narrowed()?.hidden.areBehind(sql) === false) throw error
        const { kind, serverCode, queryId } = error
        throw new WarehouseError(BEHIND_A_VIEW, {
          kind,
          cause: error,
          ...(serverCode === undefined ? {} : { serverCode }),
          ...(queryId === undefined ? {} : { queryId }),
        })
      }
    },
  }
}

/**
 * Returns a validator that estimates cost from the whole schema, because a view costs as much as the tables that it reads. The
 * estimate includes the cost of hidden tables, but not their names.
 */
export function narrowValidator(validator: QueryValidator, narrowed: () => NarrowedSchema | undefined): QueryValidator {
  return {
    async check(query, context, signal) {
      const { schema } = context
      const whole = narrowed()?.whole ?? schema
      const checked = await validator.check(query, { ...context, whole }, signal)
      if (checked.verdict === 'invalid') return checked
      const { cost } = checked
      // The caller's schema lacks the hidden tables, so a view over them would seem to cost nothing. Only the whole schema knows
      // their size.
      const estimate = cost.verdict === 'estimated' ? cost.estimate : estimateByCatalog(query.tables, whole)
      return { ...checked, cost: { verdict: 'estimated', estimate: withoutHidden(estimate, query, schema) } }
    },
    explain: (error, query, schema) => validator.explain(error, query, schema),
  }
}

function withoutHidden(estimate: CostEstimate, { tables: named }: AllowedQuery, { tables }: Schema): CostEstimate {
  const visible = new Set(tables.map(({ database, name }) => `${database}.${name}`))
  const isVisible = (table: string) => visible.has(table)
  const hidden = estimate.tables.filter(({ table }) => !isVisible(table))
  const own = estimate.tables.filter(({ table }) => isVisible(table))
  const view = named.find(table => own.every(cost => cost.table !== table)) ?? named[0]
  const behind: readonly TableCost[] = hidden.length === 0 || view === undefined ? [] : [addedUp(view, hidden)]
  return {
    ...estimate,
    tables: [...own, ...behind].sort((a, b) => b.bytes - a.bytes),
    unknown: estimate.unknown.filter(isVisible),
  }
}

function addedUp(table: string, costs: readonly TableCost[]): TableCost {
  const sum = (of: 'rows' | 'bytes') => costs.reduce((total, cost) => total + cost[of], 0)
  return { table, rows: sum('rows'), bytes: sum('bytes'), columns: [] }
}
