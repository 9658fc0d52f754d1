import { JOIN_LIMITS } from '../limits.ts'
import { type JoinableColumn, type JoinableTable, keyColumns, keyFamily, rowKey } from './joinable-table.ts'
import { followedStem, isIdentifierName, isNamedKey, singularWords, tableStems } from './key-names.ts'

export interface ColumnOf<Table> {
  readonly table: Table
  readonly column: JoinableColumn
}

/**
 * Finds the tables to which a column may refer. The index is built in one pass over the catalog, and each look-up takes constant
 * time.
 */
export interface JoinIndex<Table extends JoinableTable> {
  /**
   * Returns the tables whose name resembles `stem`: the table `orders` for the stem `order` of the column `order_id`. Uses only
   * tables in the database of `near`, or all databases if it has none.
   */
  called(stem: string, near: JoinableTable): readonly Table[]
  /** Returns the tables whose rows are identified by a key column of this name. */
  keyedBy(column: string, near: JoinableTable): readonly Table[]
  /** Returns the tables whose sorting key has several columns and begins with this one. */
  sortedBy(column: string, near: JoinableTable): readonly (readonly [Table, readonly JoinableColumn[]])[]
  /** Returns the tables that have an identifier column of this name, such as `trace_id`. */
  having(identifier: string, near: JoinableTable): readonly Table[]
  /**
   * Returns the columns that a comment of any column with this name mentions. If one comment on a column `metro` mentions
   * `metros.code`, other columns named `metro` probably refer to it too.
   */
  equalled(column: string, near: JoinableTable): readonly ColumnOf<Table>[]
  /** Returns the columns that this column's comment mentions, and the columns whose comments mention this column. */
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
        if (others.length < JOIN_LIMITS.nameTables) others.push({ table, column })
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

/** Returns the column that identifies a table's rows: the only column of the sorting key, or else a column named like an id. */
export function ownKey<Column extends JoinableColumn>(
  table: Omit<JoinableTable, 'columns'> & { readonly columns: readonly Column[] },
): Column | undefined {
  const { columns: key } = rowKey(table, table.columns)
  const [only] = key ?? []
  if (key?.length === 1 && only !== undefined && isComparable(only, only)) return only
  const names = new Set(['id', 'uuid', ...tableStems(table.name).flatMap(stem => [`${stem}_id`, `${stem}_uuid`])])
  return table.columns.find(column => names.has(singularWords(column.name).join('_')) && isComparable(column, column))
}

/**
 * Whether a join may compare two columns. Their types must be of the same kind. Private, EPHEMERAL and ALIAS columns are
 * excluded.
 */
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
  /**
   * Returns the entries with this name from the database of the table `near`, or from all databases if it has none. Returns none
   * if there are too many.
   */
  of(near: JoinableTable, name: string): readonly Entry[]
}

function buckets<Entry>(): Buckets<Entry> {
  const entries = new Map<string, Entry[]>()
  const push = (key: string, entry: Entry) => {
    const bucket = entries.get(key)
    if (bucket === undefined) entries.set(key, [entry])
    else if (bucket.length <= JOIN_LIMITS.nameTables) bucket.push(entry)
  }
  return {
    add({ database }, name, entry) {
      push(`${database}\0${name}`, entry)
      push(`\0${name}`, entry)
    },
    of({ database }, name) {
      const bucket = entries.get(`${database}\0${name}`) ?? entries.get(`\0${name}`) ?? []
      return bucket.length > JOIN_LIMITS.nameTables ? [] : bucket
    },
  }
}

const NAME = '[\\p{L}_][\\p{L}\\p{N}_]*'
const QUALIFIED = new RegExp(
  `(?<![\\p{L}\\p{N}_.])(?:(${NAME})\\.)?(${NAME})\\.(${NAME})(?![\\p{L}\\p{N}_]|\\.[\\p{L}_]|\\()`,
  'gu',
)

/** A column that a comment mentions, such as `metros.code`. */
interface MentionedColumn {
  readonly database: string | undefined
  readonly table: string
  readonly column: string
}

/** Finds texts of the form `table.column` or `database.table.column` in a comment. Whether the columns exist is not checked. */
function mentionedColumns(comment: string): readonly MentionedColumn[] {
  if (!comment.includes('.')) return []
  const text = comment.replace(/[`"]/g, '')
  return [...text.matchAll(QUALIFIED)].map(([, database, table = '', column = '']) => ({ database, table, column }))
}
