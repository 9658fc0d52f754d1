import { nearText, shown } from '../../warehouse/guard/rejection.ts'
import { nearNames } from '../../warehouse/near-names.ts'
import type { Explanation, QueryText } from '../../warehouse/query-validator.ts'
import type { TableSchema } from '../../warehouse/schema.ts'
import { type SqlToken, splitTokens } from '../../warehouse/sql/sql-tokens.ts'
import { lastPart, qualifiedName } from '../../warehouse/table-names.ts'
import { SERVER_LIMITS } from '../limits.ts'
import type { EngineComplaint } from './engine-complaint.ts'

type UnknownColumn = Extract<EngineComplaint, { kind: 'unknown_column' }>
interface Tables {
  /** The tables that the query reads. */
  readonly read: readonly TableSchema[]
  readonly all: readonly TableSchema[]
}

/** Explains which column the query should use instead of a column that does not exist, or is in another table. */
export function explainUnknownColumn(complaint: UnknownColumn, query: QueryText, tables: Tables): Explanation {
  const dot = complaint.name.indexOf('.')
  if (complaint.place === 'using') return notInBoth(complaint.name, tables)
  if (dot === -1) return unqualifiedName(complaint, tables)
  const parts = complaint.name.split('.')
  for (const length of [2, 1]) {
    const qualifier = parts.slice(0, length).join('.')
    const owner = parts.length > length ? tableOfAlias(qualifier, query) : undefined
    const table = tables.read.find(candidate => qualifiedName(candidate) === owner)
    if (table !== undefined && complaint.place !== 'subquery') return notIn([table], parts.slice(length).join('.'), [], tables)
  }
  if (complaint.place === 'subquery') return notSelected(complaint, tables)
  const near = complaint.near
  const isColumn = tables.read.some(table => hasColumn(table, parts[0] ?? ''))
  const subject = isColumn
    ? `The column ${shown(parts[0] ?? '')} has no element ${shown(parts.slice(1).join('.'))}`
    : noSource(parts[0] ?? '')
  return { message: `${subject}${nearText(near)}.`, suggestions: near }
}

function unqualifiedName(complaint: UnknownColumn, tables: Tables): Explanation {
  const { name } = complaint
  const owners = tables.read.filter(table => hasColumn(table, name)).map(qualifiedName)
  if (owners.length > 0 || complaint.place === 'subquery') return notSelected(complaint, tables)
  return notIn(tables.read, name, complaint.near, tables)
}

/** @param found similar names that the engine suggests, perhaps including aliases of the query */
function notIn(tables: readonly TableSchema[], column: string, found: readonly string[], all: Tables): Explanation {
  const columns = new Set(tables.flatMap(readableColumns))
  const aliases = found.filter(name => !tables.some(table => hasColumn(table, lastPart(name))))
  const names = nearNames(column, columns)
  const near = [...aliases, ...names.flatMap(name => (tables.length === 1 ? [name] : placesOf(name, tables)))]
  const subject = `There is no column ${shown(column)}${tables.length === 0 ? ' here' : ` in ${places(tables)}`}${nearText(near)}.`
  return { message: [subject, ...furtherHelp(tables, column, near, all)].join(' '), suggestions: near }
}

function furtherHelp(tables: readonly TableSchema[], column: string, near: readonly string[], { read, all }: Tables): string[] {
  const elsewhere = all.filter(table => !tables.includes(table) && hasColumn(table, column)).map(qualifiedName)
  const help: string[] = []
  const [only] = tables
  const columns = only === undefined ? [] : readableColumns(only)
  if (tables.length === 1 && columns.length <= SERVER_LIMITS.validation.listedColumns)
    help.push(`Its columns are: ${columns.map(shown).join(', ')}.`)
  if (elsewhere.length > 0 && elsewhere.length <= SERVER_LIMITS.validation.namedTables) {
    const verb = elsewhere.length === 1 ? 'has' : 'have'
    help.push(`${elsewhere.map(shown).join(', ')} ${verb} a column of this name.`)
  }
  // The unknown name may be meant as a text: `lon` in `WHERE metro_code = lon`, or a text in double quotes.
  const isTextPerhaps = near.length === 0 && elsewhere.length === 0 && tables === read
  if (isTextPerhaps) help.push(`A text value would be written in single quotes: '${shown(column)}'.`)
  return help
}

/** Explains that the subquery or CTE does not select this column, although its own table may have it. */
function notSelected(complaint: UnknownColumn, tables: Tables): Explanation {
  const column = lastPart(complaint.name)
  const owners = tables.read.filter(table => hasColumn(table, column)).map(qualifiedName)
  const qualifier = complaint.name.slice(0, Math.max(0, complaint.name.length - column.length - 1))
  const source = qualifier === '' ? 'The subquery that this is selected from' : `The subquery ${shown(qualifier)}`
  const advice = owners.length === 0 ? '' : ` It is a column of ${owners.map(shown).join(', ')}: select it in the subquery.`
  const message = `${source} has no column ${shown(column)}${nearText(complaint.near)}.${advice}`
  return { message, suggestions: complaint.near }
}

function notInBoth(column: string, tables: Tables): Explanation {
  const owners = tables.read.filter(table => hasColumn(table, column))
  const lacking = tables.read.filter(table => !owners.includes(table))
  const near = nearNames(column, new Set(lacking.flatMap(readableColumns))).flatMap(name => placesOf(name, lacking))
  const where = lacking.length === 0 ? 'one side of the JOIN' : places(lacking)
  const message = `USING needs a column of both sides, and ${shown(column)} is not in ${where}${nearText(near)}. Join with ON instead.`
  return { message, suggestions: near }
}

function noSource(name: string): string {
  return `There is no table or alias ${shown(name)} in this query`
}

function places(tables: readonly TableSchema[]): string {
  return tables.length <= SERVER_LIMITS.validation.namedTables
    ? tables.map(table => shown(qualifiedName(table))).join(' or ')
    : 'any of the tables that the query reads'
}

function placesOf(column: string, tables: readonly TableSchema[]): string[] {
  return tables.filter(table => hasColumn(table, column)).map(table => `${qualifiedName(table)}.${column}`)
}

function hasColumn(table: TableSchema, name: string): boolean {
  return table.columns.some(column => column.name === name)
}

/** Returns the names of the columns that a query is allowed to read, without EPHEMERAL and private ones. */
function readableColumns(table: TableSchema): readonly string[] {
  return table.columns.filter(column => column.computed?.kind !== 'EPHEMERAL' && !column.isPrivate).map(column => column.name)
}

/**
 * Returns the table of a qualifier, as `database.table`. The qualifier is an alias in the canonical text (`dz_links AS l`) or the
 * table's own name. Returns undefined for subqueries, CTEs and unknown names. Only messages may rely on the result, not
 * decisions.
 */
function tableOfAlias(qualifier: string, { canonical, tables }: QueryText): string | undefined {
  const named = tables.find(table => table === qualifier || lastPart(table) === qualifier)
  const tokens = splitTokens(canonical) ?? []
  for (const [index, token] of tokens.entries()) {
    if (token.text !== 'AS' || tokens[index + 1]?.value !== qualifier) continue
    const table = tableEndingAt(tokens, index - 1, tables)
    if (table !== undefined) return table
  }
  return named
}

function tableEndingAt(tokens: readonly SqlToken[], index: number, tables: readonly string[]): string | undefined {
  const [database, dot, name] = [tokens[index - 2], tokens[index - 1], tokens[index]]
  if (name === undefined) return undefined
  if (dot?.text === '.') return tables.find(table => table === `${database?.value}.${name.value}`)
  return tables.find(table => lastPart(table) === name.value)
}
