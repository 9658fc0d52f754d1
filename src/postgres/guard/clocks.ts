import { innerNodes, type TreeNode, value } from './node-tree.ts'

/**
 * The functions that read the clock, by the server's ids: now, transaction_timestamp, statement_timestamp, clock_timestamp,
 * timeofday, and age of one argument, which counts from the start of the day (Postgres 18, 9.9 and 9.9.5).
 */
const CLOCKS: ReadonlySet<string | undefined> = new Set(['1299', '2647', '2648', '2649', '274', '1386', '2059'])
/** date, time, timestamp, timestamptz and timetz, their lists and their ranges. */
const TIME_TYPES: ReadonlySet<string | undefined> = new Set(
  '1082 1083 1114 1184 1266 1182 1183 1115 1185 1270 3912 3908 3910'.split(' '),
)
/** Texts that mean a moment from now, once they are read as a time (Postgres 18, table 8.13). */
const SPECIAL = /\b(?:now|today|tomorrow|yesterday)\b/i
const LITERAL = /^\w*&?(?:'|\$\w*\$)[^'$]*['$]/
const NAME = /^[\w.]+/
const MOST_BYTES = 80

/** Returns whatever in an analyzed query reads the clock, as it is written: calls, and constants such as `'today'::date`. */
export function clocksIn(root: TreeNode, sql: string): readonly string[] {
  const bytes = Buffer.from(sql)
  const found = new Set<string>()
  const visit = (node: TreeNode): void => {
    const from = Number(value(node, 'location'))
    const written = (pattern: RegExp) => pattern.exec(bytes.subarray(from, from + MOST_BYTES).toString())?.[0]
    if (CLOCKS.has(value(node, 'funcid')) || node.kind === 'SQLVALUEFUNCTION') found.add(written(NAME) ?? node.kind)
    const text = TIME_TYPES.has(value(node, 'consttype')) ? written(LITERAL) : undefined
    if (text !== undefined && SPECIAL.test(text)) found.add(text)
    for (const inner of innerNodes(node)) visit(inner)
  }
  visit(root)
  return [...found]
}
