/** Table functions that read no data, in the analyzer's spelling. */
const HARMLESS_FUNCTIONS = new Set(['numbers', 'generateseries', 'generate_series', 'values', 'sqlstandardvalues'])
const TABLE = /^\s*TABLE id: \d+(?:, alias: \S+)?, table_name: (.+?)(?:, (?:final|sample_size|sample_offset): .*)?$/
const TABLE_FUNCTION = /^\s*TABLE_FUNCTION id: \d+(?:, alias: \S+)?, table_function_name: (\S+?)(?:,.*)?$/

/**
 * Returns the reads of a resolved query tree: tables as `database.table`, and table functions as `name()` unless they only generate rows.
 */
export function resolvedReferences(lines: readonly string[]): readonly string[] {
  const references = new Set<string>()
  for (const line of lines.flatMap(text => text.split('\n'))) {
    const table = TABLE.exec(line)?.[1]
    // Ignores the source of a query without FROM, and the temporary tables that the analyzer makes for CTEs.
    if (table !== undefined && table !== 'system.one' && table.includes('.') && !table.startsWith('_temporary'))
      references.add(table)
    const name = TABLE_FUNCTION.exec(line)?.[1]
    if (name !== undefined && !HARMLESS_FUNCTIONS.has(name.toLowerCase())) references.add(`${name}()`)
  }
  return [...references]
}
