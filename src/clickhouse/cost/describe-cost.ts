import { onOneLine } from '../catalog/plain-text.ts'
import type { CostEstimate } from './cost-estimate.ts'

const BYTE_UNITS = ['bytes', 'kB', 'MB', 'GB', 'TB', 'PB', 'EB'] as const
const COUNT_UNITS = ['', 'thousand', 'million', 'billion', 'trillion', 'quadrillion', 'quintillion'] as const
const NAMED_TABLES = 3

/** "1.2 TB"; decimal units, as ClickHouse reports them. */
export function describeBytes(bytes: number): string {
  return inUnits(bytes, BYTE_UNITS)
}

/** "4.1 billion"; digits where there are few. */
export function describeCount(count: number): string {
  return count < 100_000 ? Math.round(count).toLocaleString('en') : inUnits(count, COUNT_UNITS)
}

/** "about 1.2 TB (4.1 billion rows) of `events`" */
export function describeCost({ bytes, rows, tables, isCatalog }: CostEstimate): string {
  const names = tables.slice(0, NAMED_TABLES).map(({ table }) => describeTable(table))
  const more = tables.length - names.length
  const listed = `${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
  if (isCatalog) return `at most ${describeCount(rows)} rows of ${listed} at a time (what exactly could not be worked out)`
  return `about ${describeBytes(bytes)} (${describeCount(rows)} rows) of ${listed}`
}

/** A table as people call it, without its database. */
export function describeTable(qualified: string): string {
  const name = qualified.slice(qualified.indexOf('.') + 1)
  return `\`${onOneLine(name, 60)}\``
}

function inUnits(value: number, units: readonly string[]): string {
  const steps = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, value)) / 3)))
  const scaled = value / 1000 ** steps
  const digits = scaled < 10 && steps > 0 ? Number(scaled.toFixed(1)) : Math.round(scaled)
  return `${digits.toLocaleString('en')} ${units[steps] ?? ''}`.trim()
}
