/** Table functions that read nothing, as the analyzer names them. */
const HARMLESS_FUNCTIONS = new Set(['numbers', 'generateseries', 'generate_series', 'values', 'sqlstandardvalues'])
const TABLE = /^\s*TABLE id: \d+(?:, alias: \S+)?, table_name: (.+?)(?:, (?:final|sample_size|sample_offset): .*)?$/
const TABLE_FUNCTION = /^\s*TABLE_FUNCTION id: \d+(?:, alias: \S+)?, table_function_name: (\S+?)(?:,.*)?$/

/**
 * What a resolved query tree reads: `database.table`, and table functions other than those that make rows of their arguments as
 * `name()`. Lines from `EXPLAIN QUERY TREE` with its passes.
 */
export function resolvedReferences(lines: readonly string[]): readonly string[] {
  const references = new Set<string>()
  for (const line of lines.flatMap(text => text.split('\n'))) {
    const table = TABLE.exec(line)?.[1]
    // What a query without FROM reads, and the analyzer's own tables of recursive and materialized CTEs.
    if (table !== undefined && table !== 'system.one' && table.includes('.') && !table.startsWith('_temporary'))
      references.add(table)
    const name = TABLE_FUNCTION.exec(line)?.[1]
    if (name !== undefined && !HARMLESS_FUNCTIONS.has(name.toLowerCase())) references.add(`${name}()`)
  }
  return [...references]
}
