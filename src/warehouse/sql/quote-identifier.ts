/** Quotes any name as a ClickHouse identifier. Escapes backslashes, backticks and control characters in it. */
export function quoteIdentifier(name: string): string {
  return `\`${name.replace(/[\\`]/g, '\\$&').replace(/\n/g, '\\n').replace(/\r/g, '\\r').replace(/\0/g, '\\0')}\``
}

/** Returns `database.table` with both names quoted. */
export function quoteTable(table: { readonly database: string; readonly name: string }): string {
  return `${quoteIdentifier(table.database)}.${quoteIdentifier(table.name)}`
}
