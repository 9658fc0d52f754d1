/** The name that a table is told by everywhere: `database.table`. */
export function qualifiedName(table: { readonly database: string; readonly name: string }): string {
  return `${table.database}.${table.name}`
}

/** The name without what qualifies it. */
export function lastPart(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1)
}

/** Whether a text names a table in full, as `database.table`, and not another whose name begins or ends like it. */
export function isNamedIn(text: string, name: string): boolean {
  const plain = text.replaceAll('`', '')
  for (let at = plain.indexOf(name); at >= 0; at = plain.indexOf(name, at + 1))
    if (!/\w/.test(plain[at - 1] ?? '') && !/\w/.test(plain[at + name.length] ?? '')) return true
  return false
}
