import type { SqlToken } from '../warehouse/sql/sql-tokens.ts'
import { splitSql } from './guard/sql-text.ts'

/** Splits SQL that the guard allows. Returns undefined if a quotation or comment does not end. */
export function splitTokens(sql: string): readonly SqlToken[] | undefined {
  let at = 0
  return splitSql(sql)?.flatMap(({ kind: piece, text }) => {
    const from = at
    at += text.length
    if (piece === 'blank' || piece === 'comment') return []
    const isBare = piece === 'name' && !text.startsWith('"')
    const kind = piece === 'text' ? 'string' : isBare ? 'word' : piece === 'name' || piece === 'number' ? piece : 'symbol'
    const value = piece === 'text' ? text.replace(/^[^'$]*(?:'|\$\w*\$)|(?:'|\$\w*\$)$/g, '') : text
    return [{ kind, text, value, at: from }]
  })
}
