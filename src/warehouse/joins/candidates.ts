import { tableKey } from '../catalog/listed-table.ts'
import { JOIN_LIMITS } from '../limits.ts'
import { type ColumnOf, indexTables, isComparable, type JoinIndex, ownKey } from './join-index.ts'
import type { JoinableColumn, JoinableTable } from './joinable-table.ts'
import { followedStem, isIdentifierName, isNamedKey, keyName, singularWords } from './key-names.ts'

/** A join of two tables that their names, types and comments suggest. The values have not been compared yet. */
export interface JoinCandidate<Table> {
  readonly from: Table
  readonly columns: readonly string[]
  readonly to: Table
  readonly toColumns: readonly string[]
  /**
   * Why the join is suggested, from strong to weak evidence:
   * - `declared`: a foreign key, which the server enforces.
   * - `comment`: a comment states it.
   * - `name`: the column's name contains the other table's name and a key word, such as `metro_id`.
   * - `likely`: the column's name is only the other table's name (`metro`), or equals the name of its key.
   * - `shared`: both tables have an identifier with this name, such as `trace_id`, but it is the key of neither.
   */
  readonly basis: 'declared' | 'comment' | 'name' | 'likely' | 'shared'
}

/**
 * Finds columns that may refer to other tables, from names, types and comments alone. The best candidate of each column comes
 * first. The time grows linearly with the number of columns.
 * @param from only columns of these tables are examined
 */
export function joinCandidates<Table extends JoinableTable>(
  tables: readonly Table[],
  from: readonly Table[] = tables,
): readonly JoinCandidate<Table>[] {
  const index = indexTables(tables)
  const named = new Map(tables.map(table => [tableKey(table), table]))
  return from.flatMap(table => [
    ...declared(table, named),
    ...table.columns.filter(column => isComparable(column, column)).flatMap(column => ofColumn(table, column, index)),
    ...ofSeveralColumns(table, index),
  ])
}

/** Returns the foreign keys of a table, if all their columns are there and may be used. */
function declared<Table extends JoinableTable>(table: Table, named: ReadonlyMap<string, Table>): readonly JoinCandidate<Table>[] {
  return (table.references ?? []).flatMap(({ columns, table: name, tableColumns }) => {
    const to = named.get(tableKey(name))
    const isUsable = (of: JoinableTable, wanted: readonly string[]) =>
      wanted.every(each => of.columns.some(column => column.name === each && !column.isPrivate))
    if (to === undefined || !isUsable(table, columns) || !isUsable(to, tableColumns)) return []
    return [{ from: table, columns, to, toColumns: tableColumns, basis: 'declared' as const }]
  })
}

function ofColumn<Table extends JoinableTable>(table: Table, column: JoinableColumn, index: JoinIndex<Table>) {
  const candidates: JoinCandidate<Table>[] = []
  const add = (basis: JoinCandidate<Table>['basis'], targets: readonly ColumnOf<Table>[]) => {
    for (const { table: to, column: target } of targets) {
      if (target === column || !isComparable(column, target)) continue
      if (candidates.some(known => known.to === to && known.toColumns[0] === target.name)) continue
      candidates.push({ from: table, columns: [column.name], to, toColumns: [target.name], basis })
    }
  }
  add('comment', index.mentioned(column, table))
  for (const [basis, targets] of calledAfter(table, column, index)) add(basis, targets)
  add('likely', keysOfThatName(table, column, index))
  add('likely', singularWords(column.name).length > 1 ? index.equalled(column.name, table) : [])
  if (candidates.length === 0 && isIdentifierName(column.name)) {
    const [first] = index.having(column.name, table)
    if (first !== undefined && first !== table) add('shared', columnsNamed(first, [column.name]))
  }
  return candidates.slice(0, JOIN_LIMITS.perColumn)
}

/**
 * Returns the tables to which a column's name refers: `metros` for `metro_id`. Tries the longest stem of the name first. Prefers
 * tables with the same prefix as the column's own table: in `dz_links`, `metro_id` refers to `dz_metros` rather than `metros`.
 */
function calledAfter<Table extends JoinableTable>(table: Table, column: JoinableColumn, index: JoinIndex<Table>) {
  const name = keyName(column.name)
  const found: (readonly ['name' | 'likely', readonly ColumnOf<Table>[]])[] = []
  if (name.isToItself) {
    const key = ownKey(table) ?? columnsNamed(table, ownIds(table))[0]?.column
    const isSortedByOthers = key === undefined || key === column
    return isSortedByOthers ? found : [['name', [{ table, column: key }]] as const]
  }
  const beginnings = singularWords(table.name).map((_word, at, words) => `${words.slice(0, words.length - 1 - at).join('_')}_`)
  for (const stem of name.stems) {
    const called = [...beginnings.filter(text => text !== '_'), ''].map(text => index.called(`${text}${stem}`, table))
    const others =
      called.find(tables => tables.some(other => other !== table && targetColumns(other, column, name).length > 0)) ?? []
    for (const other of others.filter(each => each !== table)) {
      const targets = targetColumns(other, column, name).map(target => ({ table: other, column: target }))
      found.push([name.word === undefined ? 'likely' : 'name', targets.slice(0, 2)])
    }
    if (found.length > 0) return found
  }
  return found
}

function targetColumns(table: JoinableTable, column: JoinableColumn, name: ReturnType<typeof keyName>): JoinableColumn[] {
  const key = name.standsForKey ? ownKey(table) : undefined
  const wanted = name.word === undefined ? ['code', 'name'] : [name.word, ...(key === undefined ? [] : [key.name]), column.name]
  const named = wanted.flatMap(each =>
    table.columns.filter(other => singularWords(other.name).join('_') === singularWords(each).join('_')),
  )
  if (isView(table)) return []
  const all = name.word === undefined && key !== undefined ? [key, ...named] : named
  const targets = [...new Set(all)].filter(target => isComparable(column, target))
  // If the other table's key is a possible target, only the key is kept.
  return targets.filter(target => key === undefined || target === key || !targets.includes(key))
}

/**
 * Returns keys of other tables with the same name as the column, unless too many tables have such a key. If the column's table
 * records changes of another table, that table's key comes first: `users.user_id` for `users_history.user_id`.
 */
function keysOfThatName<Table extends JoinableTable>(table: Table, column: JoinableColumn, index: JoinIndex<Table>) {
  const followed = followedStem(table.name)
  const tables = [
    ...(followed === undefined ? [] : index.called(followed, table).filter(other => ownKey(other)?.name === column.name)),
    ...(isNamedKey(column.name) ? index.keyedBy(column.name, table) : []),
  ]
  return tables.filter(other => other !== table && !isView(other)).flatMap(other => columnsNamed(other, [column.name]))
}

/** Finds joins over several columns: to tables whose sorting key has two or three columns, all of which this table has too. */
function ofSeveralColumns<Table extends JoinableTable>(table: Table, index: JoinIndex<Table>): readonly JoinCandidate<Table>[] {
  const columns = new Map(table.columns.map(column => [column.name, column]))
  return table.columns.flatMap(({ name }) =>
    index.sortedBy(name, table).flatMap(([to, key]) => {
      const isThere = key.every(part => {
        const own = columns.get(part.name)
        return own !== undefined && isComparable(own, part)
      })
      const names = key.map(part => part.name)
      return to !== table && isThere ? [{ from: table, columns: names, to, toColumns: names, basis: 'likely' as const }] : []
    }),
  )
}

function ownIds({ name }: JoinableTable): readonly string[] {
  const last = singularWords(name).at(-1) ?? ''
  return [`${last}_id`, 'id']
}

function columnsNamed<Table extends JoinableTable>(table: Table, names: readonly string[]): readonly ColumnOf<Table>[] {
  return names.flatMap(name => table.columns.filter(column => column.name === name).map(column => ({ table, column })))
}

function isView({ viewDefinition, engine }: JoinableTable): boolean {
  return viewDefinition !== '' && engine !== 'Dictionary'
}
