const NAME = '[\\p{L}_][\\p{L}\\p{N}_]*'
const QUALIFIED = new RegExp(
  `(?<![\\p{L}\\p{N}_.])(?:(${NAME})\\.)?(${NAME})\\.(${NAME})(?![\\p{L}\\p{N}_]|\\.[\\p{L}_]|\\()`,
  'gu',
)

/** A column that a text names with its table. */
export interface MentionedColumn {
  readonly database: string | undefined
  readonly table: string
  readonly column: string
}

/** What reads `table.column` or `database.table.column` in a comment, in the order of the text. Whether it exists is for others to say. */
export function mentionedColumns(comment: string): readonly MentionedColumn[] {
  if (!comment.includes('.')) return []
  const text = comment.replace(/[`"]/g, '')
  return [...text.matchAll(QUALIFIED)].map(([, database, table = '', column = '']) => ({ database, table, column }))
}
