import type { PlanColumn } from '../../combine/plan.ts'
import type { Dialect } from '../../llm/dialect.ts'
import { SOURCE_KINDS } from '../../sources/kinds.ts'
import type { Cell, ResultColumn } from '../../warehouse/warehouse.ts'
import { AGENT_LIMITS } from '../limits.ts'

/** The values that a column may have. All other rows are left out. */
export interface Restriction {
  readonly column: string
  readonly values: readonly Cell[]
}

/** The result that the query of a plan over several sources promises, so that a program can combine its rows with others. */
export interface Scan {
  /** The contract: the result has exactly these columns, by name. */
  readonly columns: readonly PlanColumn[]
  /**
   * Waits until the written query may run.
   * @returns why the plan cannot use its columns: one sentence for the model. Undefined if it may run.
   */
  readonly admit: (actual: readonly ResultColumn[], signal: AbortSignal) => Promise<string | undefined>
  /** Returns the keys of other sources to which the rows are limited. Null: all rows are read. */
  readonly restriction: () => Promise<Restriction | null>
}

/** Writes the contract for the model that writes the query. */
export function contractText({ columns }: Pick<Scan, 'columns'>): string {
  const names = columns.map(({ name, type }) => `${name} (${type})`).join(', ')
  return `A program combines the rows with those of other sources. So the result has exactly these columns, by these names: ${names}. No other rule adds a column or an order. Numbers may have any numeric type, without rounding; keys and amounts stay unformatted.`
}

/**
 * Limits a query to rows whose column has one of some values. The values come from the rows of another source, so they become
 * literals, and the guard judges the whole text again. `shown` is for people: it has only the first values, and their number.
 */
export function restricted(sql: string, { column, values }: Restriction, dialect: Dialect) {
  const quoted = SOURCE_KINDS[dialect].quote
  const literals = values.map(String).map(quoted.text)
  const restrictedTo = (list: string) => `SELECT * FROM (\n${sql}\n) AS scanned WHERE ${quoted.name(column)} IN (${list})`
  const whole = restrictedTo(literals.join(', '))
  const { shownKeys } = AGENT_LIMITS.planning
  const first = literals.slice(0, shownKeys).join(', ')
  const shown = literals.length > shownKeys ? restrictedTo(`${first} /* ${shownKeys} of ${literals.length} keys */`) : whole
  return { sql: whole, shown }
}
