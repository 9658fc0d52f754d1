import type { LineageToolbox } from '../agent/lineage/toolbox.ts'
import { columnOrigins } from '../pipelines/lineage/column-origins.ts'
import type { LineageGraph, LineageNode } from '../pipelines/lineage/graph.ts'
import type { InputColumn } from '../warehouse/column-lineage.ts'
import { quoteIdentifier, quoteTable } from '../warehouse/sql/quote-identifier.ts'

/** Why a value is NULL. */
export type WhyNullJson = Awaited<ReturnType<typeof whyNull>>

/** So many values of a row's look-up are followed, and so many columns of a table are searched. */
const LIMITS = { values: 3, columns: 200 } as const

/**
 * Follows a NULL back to the table that lacks its value, as the tables are now.
 * @param asked the column with the NULL, and a value of its row, by which the rows of the inputs are found
 * @returns `table` lacks `value`, or has NULL beside it; both are null if no table was found that does
 */
export async function whyNull(
  graph: LineageGraph,
  node: LineageNode,
  { column, key }: { readonly column: string; readonly key: string },
  tools: LineageToolbox,
  signal: AbortSignal,
) {
  const sentences: string[] = []
  let cause: Readonly<Record<'table' | 'value', string | null>> = { table: null, value: null }
  const origins = columnOrigins(graph, node)
  const lookUps = (origins?.dataset ?? []).filter(({ transformations }) => transformations.includes('JOIN'))
  const labelOf = (table: string) => graph.find(table)?.label ?? table
  const named = ({ table, column: name }: InputColumn) => `${labelOf(table)}.${name}`
  const select = async (table: string, columns: string, condition: string) => {
    const name = graph.find(table)?.table
    if (name === undefined) return undefined
    const sql = `SELECT ${columns} FROM ${quoteTable(name)} WHERE ${condition}`
    const read = await tools.queryTable('E1', sql, LIMITS.values, signal)
    if (!read.ok) sentences.push(`${labelOf(table)} cannot be read: ${read.message}`)
    return read.ok ? read.evidence.rows : undefined
  }
  const look = async (from: InputColumn, condition: string, which: string, value: string) => {
    const nulls = `count(), countIf(isNull(${quoteIdentifier(from.column)}))`
    const [[rows, missing] = []] = (await select(from.table, nulls, condition)) ?? []
    if (rows === undefined) return
    const isCause = Number(rows) === 0 || Number(missing) > 0
    if (isCause) cause = { table: from.table, value }
    const found = isCause ? `a row with ${which}, and its ${from.column} is NULL` : `a row with ${which} and a ${from.column} now`
    const more = isCause ? '' : ' It came after the run, or a condition of the job leaves it out.'
    sentences.push(
      `${labelOf(from.table)} has ${Number(rows) === 0 ? `no row with ${which}, so ${column} is NULL` : found}.${more}`,
    )
  }
  for (const from of origins?.fields.find(field => field.column === column)?.inputs ?? []) {
    const own = lookUps.find(({ table }) => table === from.table)
    const others = lookUps.filter(({ table }) => table !== from.table)
    const by = own && (others.find(other => other.column === own.column) ?? others[0])
    sentences.push(`Its values come from ${named(from)}${own && by ? `, looked up by ${named(own)} = ${named(by)}` : ''}.`)
    if (own === undefined || by === undefined) {
      await look(from, await rowsWith(key, from.table, tools, signal), key, key)
      continue
    }
    const wanted = `DISTINCT ${asText(by.column)}`
    const values = await select(by.table, wanted, await rowsWith(key, by.table, tools, signal))
    if (values?.length === 0) sentences.push(`${labelOf(by.table)} has no row with ${key} any more.`)
    for (const [cell] of values ?? []) {
      const value = String(cell)
      sentences.push(`${labelOf(by.table)} has the ${by.column} ${value} for ${key}.`)
      await look(from, equals(own.column, value), `the ${own.column} ${value}`, value)
    }
  }
  if (sentences.length === 0) sentences.push('The run did not log where its values come from.')
  return { sentences, ...cause }
}

/** Returns the condition for the rows of a table that hold a value in any column. */
export async function rowsWith(value: string, table: string, tools: LineageToolbox, signal: AbortSignal): Promise<string> {
  const schema = await tools.getSchema(table, signal)
  const columns = schema.ok ? schema.columns.slice(0, LIMITS.columns) : []
  return columns.map(({ name }) => equals(name, value)).join(' OR ') || 'false'
}

/** The value is written in digits, so it needs no quoting. */
function equals(column: string, value: string): string {
  return `${asText(column)} = unhex('${Buffer.from(value).toString('hex')}')`
}

function asText(column: string): string {
  return `toString(${quoteIdentifier(column)})`
}
