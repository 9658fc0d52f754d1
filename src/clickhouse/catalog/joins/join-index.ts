import { type JoinableColumn, type JoinableTable, keyColumns, keyFamily } from './joinable-table.ts'
import { followedStem, isIdentifierName, isNamedKey, nameWords, tableStems } from './key-names.ts'
import { mentionedColumns } from './mentioned-columns.ts'

/** A name that more tables than this have tells none of them from the others. */
const CROWD = 8

export interface ColumnOf<Table> {
  readonly table: Table
  readonly column: JoinableColumn
}

/** Tables found by what others may call them, each look-up in constant time, so that a catalog of any size is gone through once. */
export interface JoinIndex<Table extends JoinableTable> {
  /** By what a column may call them; of the same database first. */
  called(stem: string, near: JoinableTable): readonly Table[]
  /** Those whose rows are told apart by a column of this name. */
  keyedBy(column: string, near: JoinableTable): readonly Table[]
  /** Those whose sorting key is of several columns, this one the first. */
  sortedBy(column: string, near: JoinableTable): readonly (readonly [Table, readonly JoinableColumn[]])[]
  /** Those that have an identifier of this name. */
  having(identifier: string, near: JoinableTable): readonly Table[]
  /** The columns that comments name as what columns of this name equal. */
  equalled(column: string, near: JoinableTable): readonly ColumnOf<Table>[]
  /** The columns that the comment of a column names, and those whose comments name it. */
  mentioned(column: JoinableColumn, table: Table): readonly ColumnOf<Table>[]
}

export function indexTables<Table extends JoinableTable>(tables: readonly Table[]): JoinIndex<Table> {
  const byStem = buckets<Table>()
  const byName = buckets<Table>()
  const byKey = buckets<Table>()
  const byHead = buckets<readonly [Table, readonly JoinableColumn[]]>()
  const byIdentifier = buckets<Table>()
  for (const table of tables) {
    byName.add(table, table.name.toLowerCase(), table)
    if (followedStem(table.name) === undefined) for (const stem of tableStems(table.name)) byStem.add(table, stem, table)
    const key = ownKey(table)
    if (key !== undefined) byKey.add(table, key.name, table)
    const several = keyColumns(table.sortingKey, table.columns) ?? []
    const [head] = several
    if (head !== undefined && isKeyOfSeveral(several)) byHead.add(table, head.name, [table, several])
    for (const { name } of table.columns) if (isIdentifierName(name)) byIdentifier.add(table, name, table)
  }
  const mentioned = (column: JoinableColumn, table: Table) =>
    mentionedColumns(column.comment).flatMap(({ database, table: name, column: named }) =>
      byName
        .of(table, name.toLowerCase())
        .filter(other => database === undefined || other.database === database)
        .flatMap(other => other.columns.filter(each => each.name === named).map(each => ({ table: other, column: each })))
        .filter(other => other.column !== column && isComparable(column, other.column)),
    )
  const byComment = buckets<ColumnOf<Table>>()
  const naming = new Map<JoinableColumn, ColumnOf<Table>[]>()
  for (const table of tables) {
    for (const column of table.columns) {
      for (const other of mentioned(column, table)) {
        byComment.add(table, column.name, other)
        const others = naming.get(other.column) ?? []
        naming.set(other.column, others)
        if (others.length < CROWD) others.push({ table, column })
      }
    }
  }
  return {
    mentioned: (column, table) => [...mentioned(column, table), ...(naming.get(column) ?? [])],
    called: (stem, near) => byStem.of(near, stem),
    keyedBy: (column, near) => byKey.of(near, column),
    sortedBy: (column, near) => byHead.of(near, column),
    having: (identifier, near) => byIdentifier.of(near, identifier),
    equalled: (column, near) => byComment.of(near, column),
  }
}

/** The one column that tells the rows of a table apart, as far as keys and names show: its sorting key, or what is called its id. */
export function ownKey<Column extends JoinableColumn>(
  table: Omit<JoinableTable, 'columns'> & { readonly columns: readonly Column[] },
): Column | undefined {
  const key = keyColumns(table.engine === 'Dictionary' ? table.primaryKey : table.sortingKey, table.columns)
  const [only] = key ?? []
  if (key?.length === 1 && only !== undefined && isComparable(only, only)) return only
  const names = new Set(['id', 'uuid', ...tableStems(table.name).flatMap(stem => [`${stem}_id`, `${stem}_uuid`])])
  return table.columns.find(column => names.has(nameWords(column.name).join('_')) && isComparable(column, column))
}

/** Whether values of two columns may be compared: of one kind, readable, and private to nobody. */
export function isComparable(left: JoinableColumn, right: JoinableColumn): boolean {
  const isUsable = ({ isPrivate, computed }: JoinableColumn) =>
    !isPrivate && computed?.kind !== 'EPHEMERAL' && computed?.kind !== 'ALIAS'
  const family = keyFamily(left.type)
  return family !== undefined && family === keyFamily(right.type) && isUsable(left) && isUsable(right)
}

function isKeyOfSeveral(columns: readonly JoinableColumn[]): boolean {
  if (columns.length < 2 || columns.length > 3 || columns.some(column => !isComparable(column, column))) return false
  return columns.some(({ name }) => isNamedKey(name))
}

interface Buckets<Entry> {
  add(table: JoinableTable, name: string, entry: Entry): void
  /** Of the database of a table if it has any, else of all. */
  of(near: JoinableTable, name: string): readonly Entry[]
}

function buckets<Entry>(): Buckets<Entry> {
  const entries = new Map<string, Entry[]>()
  const push = (key: string, entry: Entry) => {
    const bucket = entries.get(key)
    if (bucket === undefined) entries.set(key, [entry])
    else if (bucket.length <= CROWD) bucket.push(entry)
  }
  return {
    add({ database }, name, entry) {
      push(`${database}\0${name}`, entry)
      push(`\0${name}`, entry)
    },
    of({ database }, name) {
      const bucket = entries.get(`${database}\0${name}`) ?? entries.get(`\0${name}`) ?? []
      return bucket.length > CROWD ? [] : bucket
    },
  }
}
