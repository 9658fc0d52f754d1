const NAME = '[\\p{L}_][\\p{L}\\p{N}_]*'
const QUALIFIED = new RegExp(
  `(?<![\\p{L}\\p{N}_.])(?:(${NAME})\\.)?(${NAME})\\.(${NAME})(?![\\p{L}\\p{N}_]|\\.[\\p{L}_]|\\()`,
  'gu',
)

/** A column that a text mentions together with its table. */
export interface MentionedColumn {
  readonly database: string | undefined
  readonly table: string
  readonly column: string
}

/** Finds `table.column` or `database.table.column` in a comment, in order of appearance. The columns need not exist. */
export function mentionedColumns(comment: string): readonly MentionedColumn[] {
  if (!comment.includes('.')) return []
  const text = comment.replace(/[`"]/g, '')
  return [...text.matchAll(QUALIFIED)].map(([, database, table = '', column = '']) => ({ database, table, column }))
}
