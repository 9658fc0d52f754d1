import { type Rejection, rejection, shown } from '../../warehouse/guard/rejection.ts'
import { nameIn } from '../../warehouse/guard/table-scope.ts'
import type { TreeNode } from '../../warehouse/query-tree.ts'
import type { GuardScope } from '../../warehouse/sql-guard.ts'
import type { NameScope } from './tree/name-scope.ts'
import type { TableSource } from './tree/table-source.ts'

/**
 * A column that the query must not read, of a table that it reads. It is private by the scope, or a virtual column of the engine,
 * such as `_part`.
 */
interface RestrictedColumn {
  readonly source: TableSource
  readonly name: string
}

/**
 * Patterns and names that mean the same in the engine's regular expressions and in JavaScript's. Others may differ: `🔑` is one
 * character for the engine, and two for JavaScript. In case of doubt, COLUMNS is assumed to match a column, and EXCEPT not to. A
 * pattern may have few repetitions and none of a group, because JavaScript could take forever.
 */
const SAME_MEANING = {
  pattern: /^(?!.*\)[*+])(?:[A-Za-z0-9_^$|().]*[*+]){0,3}[A-Za-z0-9_^$|().]*$/,
  name: /^[\x20-\x7e]*$/,
} as const

/**
 * Returns a restricted column that a name may read. The name may be that column, a part of it (`email.null`), a column that
 * contains it (`payments` for `payments.card`), or a virtual column.
 */
export function restrictedByName(identifier: string, sources: readonly TableSource[]): RestrictedColumn | undefined {
  for (const source of sources) {
    const own = [identifier, ...source.qualifiers.flatMap(qualifier => withoutQualifier(identifier, qualifier))]
    for (const name of source.columns.restricted) {
      if (own.some(column => isSameOrPart(column, name))) return { source, name }
    }
    const added = own.find(name => mayBeVirtual(name, source))
    if (added !== undefined && !isReadableOfOne(identifier, sources)) return { source, name: added }
  }
  return undefined
}

/** Whether two names mean the same column, or one means a part of the other: `email` and `email.null`. */
function isSameOrPart(one: string, other: string): boolean {
  return one === other || one.startsWith(`${other}.`) || other.startsWith(`${one}.`)
}

/**
 * Whether a name may be a virtual column that reveals restricted values or foreign names. `_partition_value` contains the columns
 * of the partition key, and `_part` and `_partition_id` contain them as text. Which virtual columns exist depends on engine and
 * version (`_part_offset`, `_path`, `_table`, …), but all begin with an underscore.
 */
function mayBeVirtual(name: string, { columns: { readable, restricted, areForeign } }: TableSource): boolean {
  return (
    name.startsWith('_') &&
    (restricted.size > 0 || areForeign === true) &&
    ![...readable].some(column => isSameOrPart(name, column))
  )
}

/**
 * Whether a name consists of a table's name and a readable column, as in `_log.id`. An alias in place of the table's name is not
 * enough, because an alias could look like a virtual column.
 */
function isReadableOfOne(identifier: string, sources: readonly TableSource[]): boolean {
  return sources.some(({ table, columns }) =>
    [table, table.slice(table.indexOf('.') + 1)].some(name =>
      withoutQualifier(identifier, name).some(column => columns.readable.has(column)),
    ),
  )
}

/**
 * Returns a restricted column that a query reads by using a table's name as a value. In `SELECT users FROM users`, this value is
 * the whole row.
 */
export function restrictedByTable(identifier: string, sources: readonly TableSource[]): RestrictedColumn | undefined {
  if (sources.some(({ columns }) => columns.readable.has(identifier))) return undefined
  return restrictedOf(sources.filter(({ qualifiers }) => qualifiers.includes(identifier)))[0]
}

/** Returns a restricted column that `*`, `t.*` or COLUMNS('…') may read, if there is one. */
export function restrictedByMatcher(node: TreeNode, names: NameScope): RestrictedColumn | undefined {
  const { qualified_identifier: qualifier, columns_pattern: pattern, column_identifiers: list } = node.attributes
  const prefix = qualifier === undefined ? '' : `${qualifier}.`
  for (const column of list?.split(', ') ?? []) {
    const restricted = restrictedByName(`${prefix}${column}`, names.sources)
    if (restricted !== undefined) return restricted
  }
  if (list !== undefined) return undefined
  const inside = qualifier === undefined ? undefined : restrictedByName(qualifier, names.sources)
  const tables = qualifier === undefined ? names.ownSources : names.sources.filter(one => one.qualifiers.includes(qualifier))
  return (
    inside ??
    restrictedOf(tables).find(({ name }) => (pattern === undefined || matches(pattern, name) !== 'no') && !isExcepted(node, name))
  )
}

/**
 * Returns the columns that `*`, `t.*` or COLUMNS('…') reads from a table with restricted columns, or undefined for other tables.
 * The caller must have checked that none of them is restricted. Returns `several` if it may read several tables, and `unknown` if
 * the pattern may match other columns.
 */
export function matchedColumns(node: TreeNode, names: NameScope): readonly string[] | 'unknown' | 'several' | undefined {
  const { qualified_identifier: qualifier, columns_pattern: pattern, column_identifiers: list } = node.attributes
  const tables = qualifier === undefined ? names.ownSources : names.sources.filter(one => one.qualifiers.includes(qualifier))
  const [table] = tables
  if (list !== undefined || table === undefined || restrictedOf(tables).length === 0) return undefined
  if (tables.length > 1 || (qualifier === undefined && !names.isOneTable)) return 'several'
  const { readable, byNameOnly } = table.columns
  const columns = [...readable].filter(name => !byNameOnly.has(name))
  if (pattern === undefined) return columns
  const matched = columns.filter(name => matches(pattern, name) !== 'no')
  return matched.length === 0 || matched.some(name => matches(pattern, name) === 'unknown') ? 'unknown' : matched
}

export function restrictedOf(sources: readonly TableSource[]): readonly RestrictedColumn[] {
  return sources.flatMap(source => [...source.columns.restricted].map(name => ({ source, name })))
}

/**
 * Returns the rejection of a private column. Its message admits that the column exists, because only the values are secret. With
 * this knowledge, a model can avoid the column or explain the problem.
 */
export function columnRefused(
  { source, name }: RestrictedColumn,
  scope: GuardScope,
  by: 'name' | 'alias' | 'all' | 'natural',
): Rejection {
  const restricted = [...source.columns.restricted].filter(other => !other.includes('.')).map(shown)
  const except = restricted.length > 0 && restricted.length <= 5 ? `, or write * EXCEPT (${restricted.join(', ')})` : ''
  const table = shown(nameIn(scope, source.table))
  const column = `column ${shown(name)} of ${table}`
  if (!source.columns.restricted.has(name)) {
    const message = `${shown(name)} is no column of ${table} that may be read: the engine’s own columns may have names and values that are private. Leave it out; an alias or a parameter must not begin with an underscore here.`
    return rejection('out_of_scope', message)
  }
  const message = {
    name: `C${column.slice(1)} may not be read: it is private. Leave it out, also of conditions.`,
    alias: `C${column.slice(1)} may not be read: it is private, and the alias ${shown(name)} could be taken for it. Give the alias another name.`,
    all: `This reads every column, and ${column} may not be read: it is private. Name the columns that you need${except}.`,
    natural: `NATURAL JOIN compares every column of the same name, and ${column} may not be read: it is private. Write JOIN … USING (…).`,
  }[by]
  return rejection('out_of_scope', message)
}

function withoutQualifier(identifier: string, qualifier: string): readonly string[] {
  return identifier.startsWith(`${qualifier}.`) ? [identifier.slice(qualifier.length + 1)] : []
}

/** Whether EXCEPT removes the column before an APPLY or REPLACE could read it. */
function isExcepted(matcher: TreeNode, column: string): boolean {
  for (const { node } of matcher.branches[0]?.node.branches ?? []) {
    if (node.kind !== 'EXCEPT COLUMN TRANSFORMER') return false
    const { identifiers, pattern } = node.attributes
    if (identifiers?.split(', ').includes(column)) return true
    if (pattern !== undefined && matches(pattern, column) === 'yes') return true
  }
  return false
}

function matches(pattern: string, column: string): 'yes' | 'no' | 'unknown' {
  if (!SAME_MEANING.pattern.test(pattern) || !SAME_MEANING.name.test(column)) return 'unknown'
  try {
    return new RegExp(pattern).test(column) ? 'yes' : 'no'
  } catch {
    return 'unknown'
  }
}
