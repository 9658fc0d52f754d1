/** The name that a table is told by everywhere: `database.table`. */
export function qualifiedName(table: { readonly database: string; readonly name: string }): string {
  return `${table.database}.${table.name}`
}

/** The name without what qualifies it. */
export function lastPart(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1)
}
