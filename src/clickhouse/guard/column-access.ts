import type { Names } from './names.ts'
import type { TreeNode } from './query-tree.ts'
import { type Rejection, rejection, shown } from './rejection.ts'
import type { GuardScope } from './sql-guard.ts'
import { nameIn } from './table-scope.ts'
import type { TableSource } from './table-source.ts'

/** A column that may not be read, of a table that the query reads. */
interface RestrictedColumn {
  readonly source: TableSource
  readonly name: string
}

/**
 * Patterns that mean the same to the engine's regular expressions and to JavaScript's. With any other, every column counts as matched by COLUMNS and as
 * not matched by EXCEPT. Few repetitions, none of a group: more could take JavaScript for ever.
 */
const PLAIN_PATTERN = /^(?!.*\)[*+])(?:[\w^$|().]*[*+]){0,3}[\w^$|().]*$/

/** The restricted column that a name in an expression may mean: the column, a part of it (`email.null`), or what it is a part of (`payments`). */
export function restrictedByName(identifier: string, sources: readonly TableSource[]): RestrictedColumn | undefined {
  for (const source of sources) {
    const own = [identifier, ...source.qualifiers.flatMap(qualifier => withoutQualifier(identifier, qualifier))]
    for (const name of source.columns.restricted) {
      if (own.some(column => column === name || column.startsWith(`${name}.`) || name.startsWith(`${column}.`))) {
        return { source, name }
      }
    }
  }
  return undefined
}

/** The restricted column that a table's name reads where it stands for a value: the row as a whole. */
export function restrictedByTable(identifier: string, sources: readonly TableSource[]): RestrictedColumn | undefined {
  if (sources.some(({ columns }) => columns.readable.has(identifier))) return undefined
  return restrictedOf(sources.filter(({ qualifiers }) => qualifiers.includes(identifier)))[0]
}

/** The restricted column that `*`, `t.*` or COLUMNS may read. */
export function restrictedByMatcher(node: TreeNode, names: Names): RestrictedColumn | undefined {
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

export function restrictedOf(sources: readonly TableSource[]): readonly RestrictedColumn[] {
  return sources.flatMap(source => [...source.columns.restricted].map(name => ({ source, name })))
}

/** It says that the column exists: what is kept is its values, and a model that knows can answer without it, or say why it cannot. */
export function columnRefused(
  { source, name }: RestrictedColumn,
  scope: GuardScope,
  by: 'name' | 'alias' | 'all' | 'natural',
): Rejection {
  const column = `column ${shown(name)} of ${shown(nameIn(scope, source.table))}`
  const restricted = [...source.columns.restricted].filter(other => !other.includes('.')).map(shown)
  const except = restricted.length > 0 && restricted.length <= 5 ? `, or write * EXCEPT (${restricted.join(', ')})` : ''
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

/** Whether an EXCEPT takes the column out before anything else is done with it. */
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
  if (!PLAIN_PATTERN.test(pattern)) return 'unknown'
  try {
    return new RegExp(pattern).test(column) ? 'yes' : 'no'
  } catch {
    return 'unknown'
  }
}
