/** Returns a table's full name, `database.table`, which Clew uses as its key. */
export function qualifiedName(table: { readonly database: string; readonly name: string }): string {
  return `${table.database}.${table.name}`
}

/** Returns the last part of a name with dots: `c` for `a.b.c`. */
export function lastPart(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1)
}

/** Returns the first part of a name with dots: `a` for `a.b.c`. */
export function firstPart(name: string): string {
  return name.split('.', 1)[0] ?? name
}

/** Whether a text contains this `database.table`, and not only as a part of a longer name. */
export function isNamedIn(text: string, name: string): boolean {
  const plain = text.replaceAll('`', '')
  for (let at = plain.indexOf(name); at >= 0; at = plain.indexOf(name, at + 1))
    if (!/\w/.test(plain[at - 1] ?? '') && !/\w/.test(plain[at + name.length] ?? '')) return true
  return false
}
