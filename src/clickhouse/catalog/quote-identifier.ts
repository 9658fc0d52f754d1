/** A name as an identifier of ClickHouse, whatever is in it: quoted, with backslash, back-tick and control characters escaped. */
export function quoteIdentifier(name: string): string {
  return `\`${name.replace(/[\\`]/g, '\\$&').replace(/\n/g, '\\n').replace(/\r/g, '\\r').replace(/\0/g, '\\0')}\``
}

/** `database.table`, both quoted. */
export function quoteTable(table: { readonly database: string; readonly name: string }): string {
  return `${quoteIdentifier(table.database)}.${quoteIdentifier(table.name)}`
}
