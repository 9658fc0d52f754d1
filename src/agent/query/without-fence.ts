/** Removes a code fence around SQL. Some models write one, even inside JSON. */
export function withoutFence(sql: string): string {
  const text = sql.trim()
  const opening = /^```[a-z]*\s*\n/i.exec(text)?.[0].length
  if (opening === undefined || opening > text.length - 3 || !text.endsWith('```')) return sql
  return text.slice(opening, -3).trimEnd()
}
