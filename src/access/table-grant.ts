import { z } from 'zod'
import type { TableName } from '../warehouse/schema.ts'

/**
 * A pattern for tables, as `database.table`. `*` stands for any characters in either half: `shop.orders`, `shop.p_*`, `*.*`.
 * Without a source in front, it means tables of the default source. `crm/shop.*` means tables of the source `crm`, and `*` in
 * place of `crm` means all sources.
 */
const tablePatternSchema = z.string().regex(/^[^.\s]+\.\S.*$/)

/** A grant of tables. It covers the tables that match one of its patterns and none of its exceptions. */
export const tableGrantSchema = z.object({
  tables: z.array(tablePatternSchema).readonly(),
  except: z.array(tablePatternSchema).readonly(),
  /** The server role whose row policies decide which rows are visible. Absent: all rows are visible. */
  rows: z.string().exactOptional(),
})
export type TableGrant = z.infer<typeof tableGrantSchema>

/** All tables of the default source. */
export const EVERYTHING: readonly TableGrant[] = [{ tables: ['*.*'], except: [] }]

/** All tables of all sources. */
export const EVERYTHING_OF_ALL: readonly TableGrant[] = [{ tables: ['*/*.*'], except: [] }]

/** A table of a source. Without `source`, it belongs to the default one. */
interface GrantedTable extends TableName {
  readonly source?: string
}

/**
 * Whether the grants leave out any table that could exist in the default source. Undefined means that there are no limits, so the
 * result is false.
 */
export function isLimited(grants: readonly TableGrant[] | undefined): grants is readonly TableGrant[] {
  return grants !== undefined && !grantsCover(grants, EVERYTHING)
}

/** Whether the grants allow a table. An exception limits only its own grant, so another grant may still allow the table. */
export function isGranted(grants: readonly TableGrant[], table: GrantedTable): boolean {
  const fits = (pattern: string) => fitsTable(pattern, table)
  return grants.some(({ tables, except }) => tables.some(fits) && !except.some(fits))
}

/**
 * Whether the grants allow a table.
 * @param qualified `database.table`, such as `shop.orders`, or `crm/shop.orders`; a database's name contains no dot
 */
export function isGrantedByName(grants: readonly TableGrant[], qualified: string): boolean {
  return isGranted(grants, partsOf(qualified))
}

export function fitsTable(pattern: string, { source = DEFAULT_SOURCE, database, name }: GrantedTable): boolean {
  const of = partsOf(pattern)
  return fitsSource(of.source, source) && fitsPattern(of.database, database) && fitsPattern(of.name, name)
}

/**
 * Whether `wide` allows all tables and rows that `narrow` allows, including tables that do not exist yet. Each pattern of
 * `narrow` must lie within one pattern of `wide`. If only two patterns of `wide` together cover it, the answer is false.
 */
export function grantsCover(wide: readonly TableGrant[], narrow: readonly TableGrant[]): boolean {
  return narrow.every(({ tables, except, rows }) =>
    tables.every(pattern =>
      wide.some(
        grant =>
          showsRows(grant, rows) &&
          grant.tables.some(wider => covers(wider, pattern)) &&
          grant.except.every(left => exclude(left, pattern) || except.some(own => covers(own, left))),
      ),
    ),
  )
}

/** Whether `wide` shows all rows of a table (`database.table` or `crm/database.table`) that `narrow` shows. It may show more. */
export function showsAsMuch(wide: readonly TableGrant[], narrow: readonly TableGrant[], qualified: string): boolean {
  const own = wide.filter(grant => isGrantedByName([grant], qualified))
  const others = narrow.filter(grant => isGrantedByName([grant], qualified))
  return own.length > 0 && others.every(({ rows }) => own.some(grant => showsRows(grant, rows)))
}

function showsRows(grant: TableGrant, rows: string | undefined): boolean {
  return grant.rows === undefined || grant.rows === rows
}

/** Whether every table that matches `narrow` also matches `wide`. */
export function covers(wide: string, narrow: string): boolean {
  const [wider, own] = [partsOf(wide), partsOf(narrow)]
  return (
    fitsSource(wider.source, own.source) && patternCovers(wider.database, own.database) && patternCovers(wider.name, own.name)
  )
}

/** Whether no table can match both patterns. False if in doubt. */
export function exclude(one: string, other: string): boolean {
  const [left, right] = [partsOf(one), partsOf(other)]
  const isOtherSource = !fitsSource(left.source, right.source) && !fitsSource(right.source, left.source)
  return isOtherSource || patternsExclude(left.database, right.database) || patternsExclude(left.name, right.name)
}

const DEFAULT_SOURCE = ''

function fitsSource(pattern: string, source: string): boolean {
  return pattern === WILDCARD || pattern === source
}

/** Splits a pattern or a name. Its source is empty if it is the default one. */
export function partsOf(pattern: string): Required<GrantedTable> {
  const dot = pattern.indexOf('.')
  const slash = pattern.slice(0, dot).indexOf('/')
  return { source: pattern.slice(0, Math.max(slash, 0)), database: pattern.slice(slash + 1, dot), name: pattern.slice(dot + 1) }
}

/** In a pattern such as `p_*`, the star stands for any number of characters, including none. */
const WILDCARD = '*'

export function fitsPattern(pattern: string, name: string): boolean {
  const [first = '', ...others] = pattern.split(WILDCARD)
  const last = others.pop()
  if (last === undefined) return name === first
  if (!name.startsWith(first) || name.length < first.length + last.length || !name.endsWith(last)) return false
  const end = name.length - last.length
  let at = first.length
  // Each piece of the pattern takes its first match. This leaves the most text for the pieces after it.
  for (const piece of others) {
    const found = name.indexOf(piece, at)
    if (found < 0 || found + piece.length > end) return false
    at = found + piece.length
  }
  return true
}

/**
 * Whether every name that matches `narrow` also matches `wide`. A `*` in `narrow` is treated as an ordinary character, so only a
 * `*` in `wide` matches it.
 */
export function patternCovers(wide: string, narrow: string): boolean {
  return fitsPattern(wide, narrow)
}

/** Whether no name can match both patterns, because they begin or end differently, such as `a*` and `b*`. False if in doubt. */
export function patternsExclude(one: string, other: string): boolean {
  if (!one.includes(WILDCARD)) return !fitsPattern(other, one)
  if (!other.includes(WILDCARD)) return !fitsPattern(one, other)
  const [start, otherStart] = [one, other].map(pattern => pattern.slice(0, pattern.indexOf(WILDCARD)))
  const [end, otherEnd] = [one, other].map(pattern => pattern.slice(pattern.lastIndexOf(WILDCARD) + 1))
  return !agree(start ?? '', otherStart ?? '', 'startsWith') || !agree(end ?? '', otherEnd ?? '', 'endsWith')
}

function agree(one: string, other: string, by: 'startsWith' | 'endsWith'): boolean {
  return one[by](other) || other[by](one)
}
