import { z } from 'zod'
import type { CatalogEntry } from '../../warehouse/catalog/entry.ts'
import { bareType } from '../../warehouse/joins/joinable-table.ts'
import { quoteIdentifier, quoteTable } from '../../warehouse/sql/quote-identifier.ts'
import type { QueryResult } from '../../warehouse/warehouse.ts'
import type { ScanPlan } from './plan-scan.ts'

/** A comparison between columns of a scanned part of one table and columns of another. */
export interface ColumnComparison {
  readonly from: CatalogEntry
  readonly plan: ScanPlan
  readonly columns: readonly string[]
  /** The other table, or a dictionary's source. */
  readonly to: CatalogEntry
  readonly toColumns: readonly string[]
  /** The most distinct values to compare. */
  readonly values: number
  /** The other table is read by key look-ups, not whole. */
  readonly isByKey: boolean
}

const row = z.tuple([z.coerce.number(), z.coerce.number()])

/**
 * Counts the values that the other table has. The values never leave the server. A hash selects them, so each run uses the same ones. A value of
 * another type counts as not found.
 */
export function overlapQuery({ from, plan, columns, to, toColumns, values, isByKey }: ColumnComparison): string {
  const names = columns.map(quoteIdentifier)
  const types = toColumns.map(name => bareType(to.columns.find(column => column.name === name)?.type ?? 'String'))
  const casts = names.map((name, at) => `accurateCastOrNull(${name}, ${quoteText(types[at] ?? 'String')}) AS clew_${at}`)
  const keys = names.map((_name, at) => `clew_${at}`).join(', ')
  const isValue = names.map(name => `isNotNull(${name}) AND ${name} != defaultValueOfArgumentType(assumeNotNull(${name}))`)
  // One part of a combined key may be 0, such as a line number.
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

/** @returns undefined if the result has another shape */
export function readOverlap(result: QueryResult): { readonly values: number; readonly found: number } | undefined {
  const parsed = row.safeParse(result.rows[0])
  return parsed.success ? { values: parsed.data[0], found: parsed.data[1] } : undefined
}

function quoteText(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&')}'`
}
