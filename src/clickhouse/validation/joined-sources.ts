import { mergesRows } from '../../warehouse/catalog/engine-note.ts'
import { isUnique } from '../../warehouse/joins/is-unique.ts'
import { bareType } from '../../warehouse/joins/joinable-table.ts'
import type { TreeNode } from '../../warehouse/query-tree.ts'
import type { TableSchema } from '../../warehouse/schema.ts'
import { lastPart } from '../../warehouse/table-names.ts'
import { isTableHeading } from '../guard/tree/reference-graph.ts'

/**
 * One table or subquery in FROM. `table` is undefined for a subquery, and for a table that is not in the schema. A join with such
 * a source is assumed to repeat no rows.
 */
export interface Source {
  readonly names: readonly string[]
  readonly table: TableSchema | undefined
  /** True if the kind of join, such as ANY JOIN, allows at most one row of this table for each row of the other tables. */
  readonly isSingle: boolean
  /** Whether the query reads the table with FINAL, which merges all versions of a row into one. */
  readonly isFinal: boolean
}

export interface Column {
  readonly source: Source
  readonly name: string
}

/** The tables of the schema, by `database.table`. */
export type Tables = ReadonlyMap<string, TableSchema>

const SINGLE_STRICTNESS = new Set(['ANY', 'SEMI', 'ANTI', 'ASOF'])

/** Returns the tables that FROM joins. Returns undefined for an ARRAY JOIN, because its rows are elements of an array. */
export function joinedSources(
  node: TreeNode,
  isSingle: boolean,
  tables: Tables,
  ctes: ReadonlySet<string>,
): readonly Source[] | undefined {
  const { alias, identifier, final } = node.attributes
  if (node.kind === 'ARRAY_JOIN') return undefined
  if (node.kind === 'JOIN' || node.kind === 'CROSS JOIN') {
    const sides = node.branches
      .filter(({ heading }) => isTableHeading(heading))
      .map(({ heading, node: side }) => joinedSources(side, isSingle || isSingleSide(node, heading), tables, ctes))
    return sides.includes(undefined) ? undefined : sides.flatMap(side => side ?? [])
  }
  const names = [alias ?? [], identifier ?? [], identifier === undefined ? [] : lastPart(identifier)].flat()
  const matching = [...tables].filter(
    ([name]) => name === identifier || (!identifier?.includes('.') && lastPart(name) === identifier),
  )
  const isTable = identifier !== undefined && !ctes.has(identifier) && matching.length === 1
  return [{ names, table: isTable ? matching[0]?.[1] : undefined, isSingle, isFinal: final === '1' }]
}

/**
 * Whether the kind of join uses at most one row of this side for each row of the other side. ANY, SEMI, ANTI and ASOF do so for
 * the side in which the join searches. ANY INNER JOIN does so for both sides.
 */
function isSingleSide({ attributes: { strictness = '', kind } }: TreeNode, heading: string): boolean {
  if (!SINGLE_STRICTNESS.has(strictness)) return false
  return (strictness === 'ANY' && kind === 'INNER') || heading === `${kind === 'RIGHT' ? 'LEFT' : 'RIGHT'} TABLE EXPRESSION`
}

/**
 * Whether no two rows of a table have the same values in these columns. Returns undefined if this is unknown. FINAL merges
 * versions of a row, so values that repeat in the stored rows may not repeat in the merged rows.
 */
export function isUniqueIn({ table, isFinal }: Source, names: readonly string[]): boolean | undefined {
  if (table === undefined) return undefined
  const unique = isUnique(table, names)
  if (unique !== false || !isFinal || !mergesRows(table.engine)) return unique
  const [column, ...others] = table.columns.filter(({ name }) => names.includes(name))
  const distinct = others.length === 0 ? column?.statistics?.distinct : undefined
  return distinct !== undefined && table.key !== undefined && distinct < table.key.distinct ? false : undefined
}

/** Whether a column contains only 0 and 1, or yes and no. A sum of such a column only counts rows. */
export function isFlag({ source: { table }, name }: Column): boolean {
  const column = table?.columns.find(one => one.name === name)
  const type = column === undefined ? '' : bareType(column.type)
  return type === 'Bool' || (type === 'UInt8' && column?.statistics?.max === '1')
}

export function hasColumn({ table }: Source, name: string): boolean {
  return table?.columns.some(column => column.name === name) === true
}
