import type { PlanColumn } from '../../combine/plan.ts'
import { orRefusal, PlanRefusal } from '../../combine/refusal.ts'
import { readContract } from '../../combine/types.ts'
import type { Dialect } from '../../llm/dialect.ts'
import { onOneLine, sqlLiteral, sqlName } from '../../warehouse/sql/plain-text.ts'
import type { Cell, ResultColumn } from '../../warehouse/warehouse.ts'

/** The result that the query of a plan over several sources promises, so that a program can combine its rows with others. */
export interface Scan {
  /** The contract: the result has exactly these columns, by name. */
  readonly columns: readonly PlanColumn[]
  /** Only rows whose column has one of these values are read. Null: all rows. */
  readonly restrict: { readonly column: string; readonly values: readonly Cell[] } | null
}

/** Writes the contract for the model that writes the query. */
export function contractText({ columns }: Pick<Scan, 'columns'>): string {
  const names = columns.map(({ name, type }) => `${name} (${type})`).join(', ')
  return `A program combines the rows with those of other sources. So the result has exactly these columns, by these names: ${names}. No other rule adds a column or an order. Numbers may have any numeric type, without rounding; keys and amounts stay unformatted.`
}

/** Compares the columns of a query with its contract. Returns a sentence for the model that wrote it, or undefined if they fit. */
export function contractMistake({ columns }: Pick<Scan, 'columns'>, actual: readonly ResultColumn[]): string | undefined {
  const read = orRefusal(() => readContract(columns, actual))
  return read instanceof PlanRefusal ? `${onOneLine(read.message, 1_000)} ${contractText({ columns })}` : undefined
}

/**
 * Limits a query to rows whose column has one of some values. The values come from the rows of another source, so they become
 * literals, and the guard judges the whole text again.
 */
export function restricted(sql: string, { column, values }: NonNullable<Scan['restrict']>, dialect: Dialect): string {
  const name = dialect === 'postgres' ? `"${column}"` : sqlName(column)
  const list = values.map(value => literal(value, dialect)).join(', ')
  return `SELECT * FROM (\n${sql}\n) AS scanned WHERE ${name} IN (${list})`
}

function literal(value: Cell, dialect: Dialect): string {
  const text = String(value)
  return dialect === 'postgres' ? `'${text.replaceAll("'", "''")}'` : sqlLiteral(text)
}
