import { z } from 'zod'
import { fitsPattern, patternCovers, patternsExclude } from './name-pattern.ts'

/** A table or several, as `database.table`; `*` in either part stands for any characters: `shop.orders`, `shop.p_*`, `*.*`. */
const tablePatternSchema = z.string().regex(/^[^.\s]+\.\S.*$/)

/** Tables that may be read: those that fit a pattern and no exception. */
export const tableGrantSchema = z.object({
  tables: z.array(tablePatternSchema).readonly(),
  except: z.array(tablePatternSchema).readonly(),
  /** The server's role by whose row policies the rows come; absent: all rows. */
  rows: z.string().exactOptional(),
})
export type TableGrant = z.infer<typeof tableGrantSchema>

/** Grants without a limit. */
export const EVERYTHING: readonly TableGrant[] = [{ tables: ['*.*'], except: [] }]

/** Whether there may be something that the grants leave out. Without grants nothing is. */
export function isLimited(grants: readonly TableGrant[] | undefined): grants is readonly TableGrant[] {
  return grants !== undefined && !grantsCover(grants, EVERYTHING)
}

/** Whether one of the grants has the table. A grant's exceptions are its own: another one may have what it leaves out. */
export function isGranted(grants: readonly TableGrant[], table: { readonly database: string; readonly name: string }): boolean {
  const fits = (pattern: string) => fitsTable(pattern, table)
  return grants.some(({ tables, except }) => tables.some(fits) && !except.some(fits))
}

/** Whether a table, as `database.table`, is granted. The name of a database has no dot. */
export function isGrantedByName(grants: readonly TableGrant[], qualified: string): boolean {
  const [database, name] = halves(qualified)
  return isGranted(grants, { database, name })
}

/** Whether a table fits one pattern. */
export function fitsTable(pattern: string, { database, name }: { readonly database: string; readonly name: string }): boolean {
  const [databases, names] = halves(pattern)
  return fitsPattern(databases, database) && fitsPattern(names, name)
}

/**
 * Whether `wide` certainly has every table that `narrow` has, whichever tables there are or will be. Judged pattern by pattern: says false also where only
 * several patterns together have what one of `narrow` has.
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

/** Whether somebody sees of one table, as `database.table`, whatever rows somebody else does. */
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
