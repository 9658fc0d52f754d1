import { z } from 'zod'
import type { CatalogEntry } from '../../warehouse/catalog/entry.ts'
import { bareType } from '../../warehouse/joins/joinable-table.ts'
import { quoteIdentifier, quoteTable } from '../../warehouse/sql/quote-identifier.ts'
import type { QueryResult } from '../../warehouse/warehouse.ts'
import type { ScanPlan } from './plan-scan.ts'

/** A comparison of columns of the table `from` with columns of the table `to`. Only the scanned rows of `from` are compared. */
export interface ColumnComparison {
  readonly from: CatalogEntry
  readonly plan: ScanPlan
  readonly columns: readonly string[]
  /** The table in which the values are looked up. For a dictionary, this is its source table. */
  readonly to: CatalogEntry
  readonly toColumns: readonly string[]
  /** The comparison uses at most this many distinct values. */
  readonly values: number
  /** True if the query looks up each value by the key of the other table. False if it reads that table completely. */
  readonly isByKey: boolean
}

const row = z.tuple([z.coerce.number(), z.coerce.number()])

/**
 * Returns a query that counts how many of the compared values also occur in the other table. Only the counts leave the server. A
 * hash selects the values, so every run compares the same ones. A value that does not fit the other column's type is not found.
 */
export function overlapQuery({ from, plan, columns, to, toColumns, values, isByKey }: ColumnComparison): string {
  const names = columns.map(quoteIdentifier)
  const types = toColumns.map(name => bareType(to.columns.find(column => column.name === name)?.type ?? 'String'))
  const casts = names.map((name, at) => `accurateCastOrNull(${name}, ${quoteText(types[at] ?? 'String')}) AS clew_${at}`)
  const keys = names.map((_name, at) => `clew_${at}`).join(', ')
  const isValue = names.map(name => `isNotNull(${name}) AND ${name} != defaultValueOfArgumentType(assumeNotNull(${name}))`)
  // In a single column, 0 usually means "none", so it is not compared. In a key of several columns, 0 is compared: the first line
  // of an order may have line number 0.
  const condition = names.length === 1 ? isValue[0] : names.map(name => `isNotNull(${name})`).join(' AND ')
  const source = `SELECT ${names.join(', ')} FROM ${quoteTable(from)} ${plan.clause}`
  const sample = `SELECT DISTINCT ${casts.join(', ')} FROM (${source}) WHERE ${condition} ORDER BY cityHash64(${keys}) LIMIT ${values}`
  const known = `SELECT ${names.map((_name, at) => `assumeNotNull(clew_${at})`).join(', ')} FROM (${sample}) WHERE ${names
    .map((_name, at) => `isNotNull(clew_${at})`)
    .join(' AND ')}`
  const targets = toColumns.map(quoteIdentifier).join(', ')
  const target = `SELECT ${targets} FROM ${quoteTable(to)}${isByKey ? ` WHERE (${targets}) IN (${known})` : ''}`
  return `SELECT count(), countIf((${keys}) IN (${target})) FROM (${sample})`
}

/**
 * Reads the result of `overlapQuery`.
 * @returns undefined if the result has another shape
 */
export function readOverlap(result: QueryResult): { readonly values: number; readonly found: number } | undefined {
  const parsed = row.safeParse(result.rows[0])
  return parsed.success ? { values: parsed.data[0], found: parsed.data[1] } : undefined
}

function quoteText(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&')}'`
}
