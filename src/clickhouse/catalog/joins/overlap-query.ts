import { z } from 'zod'
import type { QueryResult } from '../../warehouse.ts'
import type { CatalogEntry } from '../catalog-entry.ts'
import type { ScanPlan } from '../plan-scan.ts'
import { quoteIdentifier, quoteTable } from '../quote-identifier.ts'
import { bareType } from './joinable-table.ts'

/** What is compared: columns of what is scanned of one table with columns of another. */
export interface Comparison {
  readonly from: CatalogEntry
  readonly plan: ScanPlan
  readonly columns: readonly string[]
  /** Where the other values lie: the table itself, or that which a dictionary is read from. */
  readonly to: CatalogEntry
  readonly toColumns: readonly string[]
  /** Different values, at most. */
  readonly values: number
  /** Whether the other table is read by the values, which it may be sorted by, and not whole. */
  readonly isByKey: boolean
}

const row = z.tuple([z.coerce.number(), z.coerce.number()])

/**
 * Counts how many of the values the other table has. The values, chosen by a hash and so the same ones every time, never leave the server. What is not of the
 * other column's type is not found.
 */
export function overlapQuery({ from, plan, columns, to, toColumns, values, isByKey }: Comparison): string {
  const names = columns.map(quoteIdentifier)
  const types = toColumns.map(name => bareType(to.columns.find(column => column.name === name)?.type ?? 'String'))
  const casts = names.map((name, at) => `accurateCastOrNull(${name}, ${quoteText(types[at] ?? 'String')}) AS clew_${at}`)
  const keys = names.map((_name, at) => `clew_${at}`).join(', ')
  const isValue = names.map(name => `isNotNull(${name}) AND ${name} != defaultValueOfArgumentType(assumeNotNull(${name}))`)
  // Of a combination one part may be 0: a line's number.
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

/** @returns undefined where the answer is not of the expected shape */
export function readOverlap(result: QueryResult): { readonly values: number; readonly found: number } | undefined {
  const parsed = row.safeParse(result.rows[0])
  return parsed.success ? { values: parsed.data[0], found: parsed.data[1] } : undefined
}

function quoteText(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&')}'`
}
