import { z } from 'zod'
import { fitsPattern, patternCovers, patternsExclude } from './name-pattern.ts'

/** One or more tables, as `database.table`. `*` stands for any characters in either part: `shop.orders`, `shop.p_*`, `*.*`. */
const tablePatternSchema = z.string().regex(/^[^.\s]+\.\S.*$/)

/** Readable tables: those that fit a pattern and no exception. */
export const tableGrantSchema = z.object({
  tables: z.array(tablePatternSchema).readonly(),
  except: z.array(tablePatternSchema).readonly(),
  /** The server role whose row policies filter the rows. Absent: all rows. */
  rows: z.string().exactOptional(),
})
export type TableGrant = z.infer<typeof tableGrantSchema>

export const EVERYTHING: readonly TableGrant[] = [{ tables: ['*.*'], except: [] }]

/** Whether the grants may leave out a table. Undefined grants leave out none. */
export function isLimited(grants: readonly TableGrant[] | undefined): grants is readonly TableGrant[] {
  return grants !== undefined && !grantsCover(grants, EVERYTHING)
}

/** An exception limits only its own grant: another grant may allow the table. */
export function isGranted(grants: readonly TableGrant[], table: { readonly database: string; readonly name: string }): boolean {
  const fits = (pattern: string) => fitsTable(pattern, table)
  return grants.some(({ tables, except }) => tables.some(fits) && !except.some(fits))
}

/** @param qualified `database.table`; a database name has no dot */
export function isGrantedByName(grants: readonly TableGrant[], qualified: string): boolean {
  const [database, name] = halves(qualified)
  return isGranted(grants, { database, name })
}

export function fitsTable(pattern: string, { database, name }: { readonly database: string; readonly name: string }): boolean {
  const [databases, names] = halves(pattern)
  return fitsPattern(databases, database) && fitsPattern(names, name)
}

/**
 * Whether `wide` certainly covers `narrow`, for any tables now or later. It compares pattern by pattern, so it says false if only
 * several patterns together cover one of `narrow`.
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

/** Whether `wide` shows every row of one table (`database.table`) that `narrow` shows. */
export function showsAsMuch(wide: readonly TableGrant[], narrow: readonly TableGrant[], qualified: string): boolean {
  const own = wide.filter(grant => isGrantedByName([grant], qualified))
  const others = narrow.filter(grant => isGrantedByName([grant], qualified))
  return own.length > 0 && others.every(({ rows }) => own.some(grant => showsRows(grant, rows)))
}

function showsRows(grant: TableGrant, rows: string | undefined): boolean {
  return grant.rows === undefined || grant.rows === rows
}

function covers(wide: string, narrow: string): boolean {
  const [[database, name], [ofDatabase, ofName]] = [halves(wide), halves(narrow)]
  return patternCovers(database, ofDatabase) && patternCovers(name, ofName)
}

function exclude(one: string, other: string): boolean {
  const [[database, name], [otherDatabase, otherName]] = [halves(one), halves(other)]
  return patternsExclude(database, otherDatabase) || patternsExclude(name, otherName)
}

function halves(pattern: string): readonly [string, string] {
  const dot = pattern.indexOf('.')
  return [pattern.slice(0, dot), pattern.slice(dot + 1)]
}
