/** Quotes any name as an identifier for ClickHouse. Escapes backslashes, backticks and control characters in the name. */
export function quoteIdentifier(name: string): string {
  return `\`${name.replace(/[\\`]/g, '\\$&').replace(/\n/g, '\\n').replace(/\r/g, '\\r').replace(/\0/g, '\\0')}\``
}

/** Returns `database.table` with both names quoted. */
export function quoteTable(table: { readonly database: string; readonly name: string }): string {
  return `${quoteIdentifier(table.database)}.${quoteIdentifier(table.name)}`
}
